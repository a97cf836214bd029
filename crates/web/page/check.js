// Checks: a question, an engine, progress as it comes, the result with its explanation, and everything to take away.

import { el, byId, show, download, plural } from './dom.js';
import { call, wasAborted } from './api.js';

let running = null;
// Why nothing can be checked now, and which text the results are about.
let obstacle = '';
let judged = '';

export function fillQuestions(look) {
  const option = (value, text) => el('option', { value }, text);
  const kept = byId('question').value;
  const own = look.properties.map((p) => option(`property ${p.name}`, `${p.name}${p.name === p.kind ? '' : ` (${p.kind})`}`));
  show(byId('question'), own.length ? option('all', own.length === 1 ? 'the property of the model' : `all ${own.length} properties of the model`) : null, own.length > 1 ? own : null,
    option('deadlock', 'deadlock?'), option('partial', 'partial deadlock: somebody stuck for good?'), option('invariant', 'always true: …'), option('reachable', 'reachable: …'), option('ltl', 'true of all runs (LTL): …'));
  if ([...byId('question').options].some((o) => o.value === kept)) byId('question').value = kept;
  ask();
}

export function fillEngines(engines, longest) {
  const variants = ['explore:order=depth,persistent=stubborn', 'explore:order=depth,persistent=stubborn,sleep', 'unfold:stubborn=breadth'];
  show(byId('engine'), [...engines.map(([name]) => name), ...variants].map((e) => el('option', { value: e }, e === 'auto' ? 'auto: whichever is best' : e)));
  byId('seconds').max = longest;
}

function ask() {
  byId('formula-label').hidden = !['invariant', 'reachable', 'ltl'].includes(byId('question').value);
}

function question() {
  const [kind, ...name] = byId('question').value.split(' ');
  if (kind === 'property') return { properties: [name.join(' ')] };
  if (kind === 'deadlock' || kind === 'partial') return { [kind]: true };
  if (kind === 'all' || !kind) return {};
  return { [kind]: byId('formula').value };
}

export function setUpCheck(context) {
  byId('question').addEventListener('change', ask);
  byId('cancel').addEventListener('click', () => running?.abort());
  byId('ask').addEventListener('submit', (e) => { e.preventDefault(); if (!running && !obstacle) check(context()); });
}

// A check is always about the text that is seen: while there is none without mistakes, the button says why.
export function hold(why) {
  obstacle = why;
  byId('obstacle').textContent = why;
  byId('start').disabled = Boolean(running || obstacle);
}

// Results stay where the text changes, and say that they are about another one.
export function date(text) {
  byId('results').classList.toggle('earlier', judged !== text);
  byId('earlier').hidden = judged === text || !byId('results').firstChild;
}

// Another model: whatever is being found out about the one before is of no use.
export function forget() {
  running?.abort();
  running = null;
  byId('cancel').disabled = true;
  show(byId('results'));
  byId('earlier').hidden = true;
  say('');
}

// Figures that change several times a second are not read aloud.
function say(text, silently = false) {
  byId('progress').setAttribute('aria-live', silently ? 'off' : 'polite');
  byId('progress').textContent = text;
}

async function check(context) {
  const { name, text, subject } = context;
  const abort = new AbortController();
  running = abort;
  hold(obstacle);
  byId('cancel').disabled = false;
  show(byId('results'));
  judged = text;
  date(text);
  say('Started …');
  const asked = question();
  // What a script asserts is about its own processes; anything else is asked about the one that is seen.
  const own = asked.properties || !Object.keys(asked).length;
  const model = { ...context.model, ...(subject && !own ? { process: subject } : {}) };
  const args = { model, ...asked, engine: byId('engine').value, seconds: Number(byId('seconds').value), certificates: byId('certificates').checked, hints: byId('hints').checked };
  try {
    const answer = await call('check', args, { signal: abort.signal, progress: (p) => { if (running === abort) say(told(p), true); } });
    if (running !== abort) return;
    say(answer.outcome);
    show(byId('results'), answer.report.results.map((r, i) => result(r, answer.told[i], context)), downloads(answer, name));
  } catch (e) {
    if (running !== abort) return;
    say(wasAborted(e) ? 'Cancelled.' : 'There is no answer.');
    if (!wasAborted(e)) {
      const notes = (e.why?.diagnostics ?? []).map((d) => `${d.start.line}:${d.start.column} ${d.message}`);
      show(byId('results'), el('div', { class: 'result unknown' }, el('pre', {}, [e.message, ...notes].join('\n'))));
    }
  } finally {
    if (running === abort) {
      running = null;
      hold(obstacle);
      byId('cancel').disabled = true;
      date(context.now());
    }
  }
}

function told(p) {
  const rate = p.seconds > 0 ? Math.round(p.states / p.seconds) : 0;
  const memory = p.bytes >= 1 << 20 ? `${(p.bytes / (1 << 20)).toFixed(0)} MB` : `${Math.round(p.bytes / 1024)} kB`;
  const engines = p.engines.filter((e) => e !== 'auto');
  // Some engines have no states.
  const states = p.states ? `${plural(p.states, 'state')}, ${rate.toLocaleString('en')} a second, ${plural(p.waiting, 'state')} waiting, ` : '';
  return `${states}${memory}, ${p.seconds.toFixed(1)} s${engines.length ? `; at work: ${engines.join(', ')}` : ''}`;
}

function result(r, words, { replay }) {
  const figures = [r.statistics.states !== undefined && plural(r.statistics.states, 'state'), r.statistics.events !== undefined && plural(r.statistics.events, 'event'), `${r.statistics.seconds.toFixed(2)} s`];
  const buttons = r.trace ? [el('button', { type: 'button', class: 'replay', onclick: () => replay(r.trace, r.verdict) }, 'Replay the run')] : [];
  return el('article', { class: `result ${r.verdict}`, 'data-verdict': r.verdict },
    el('h3', {}, r.property), el('p', {}, el('span', { class: 'verdict' }, r.verdict), `: ${words.why}${r.expect && r.verdict !== 'unknown' && r.expect !== r.verdict ? ` (the model expects: ${r.expect})` : ''}`),
    el('div', { class: 'row' }, ...buttons),
    words.text ? el('pre', { class: 'out', tabindex: 0, role: 'region', 'aria-label': `Explanation of ${r.property}` }, words.text) : null,
    ...(r.hints ?? []).map((h) => el('p', {}, `Hint: ${h}`)),
    el('p', { class: 'note' }, `${r.engine}: ${figures.filter(Boolean).join(', ')}${r.evidence ? `; ${r.evidence.note}` : ''}`),
    ...(r.warnings ?? []).map((w) => el('p', { class: 'note' }, `warning: ${w}`)));
}

function downloads(answer, name) {
  const stem = name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') || 'model';
  const button = (text, file, kind, content) => el('button', { type: 'button', onclick: () => download(file, kind, content) }, text);
  const results = answer.report.results.map((r, i) => ({ ...r, ...answer.told[i] }));
  // One button for each result that has such a thing; where there are several, with its name.
  const each = (what, text, kind, ending, content) => {
    const having = results.filter((r) => r[what]);
    const part = (r) => (having.length > 1 ? `.${r.property.replace(/[^\w-]+/g, '_').slice(0, 60)}` : '');
    return having.map((r, i) => button(having.length > 1 ? `${text}: ${r.property}` : text,
      `${stem}${part(r)}${having.some((o, k) => k < i && part(o) === part(r)) && part(r) ? `-${i + 1}` : ''}.${ending}`, kind, content(r[what])));
  };
  return el('section', { 'aria-label': 'Downloads' }, el('h3', {}, 'Take away'), el('div', { class: 'row', id: 'downloads' },
    button('report (HTML)', `${stem}.html`, 'text/html', answer.html),
    button('report (JSON)', `${stem}.json`, 'application/json', JSON.stringify(answer.report, null, 2)),
    each('trace', 'trace', 'application/json', 'trace.json', (trace) => JSON.stringify(trace, null, 2)),
    answer.certificate && button('certificate', `${stem}.certificate.json`, 'application/json', JSON.stringify(answer.certificate)),
    each('chart', 'chart (SVG)', 'image/svg+xml', 'chart.svg', (svg) => svg),
    each('waiting', 'who waits (SVG)', 'image/svg+xml', 'waiting.svg', (svg) => svg)));
}
