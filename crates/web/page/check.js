// Checks: a question, an engine, progress as it comes, the result with its explanation, and everything to take away.

import { el, byId, show, download, plural } from './dom.js';
import { call, wasAborted } from './api.js';

let running = null;

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
  if (kind === 'all') return {};
  return { [kind]: byId('formula').value };
}

export function setUpCheck(context) {
  byId('question').addEventListener('change', ask);
  byId('cancel').addEventListener('click', () => running?.abort());
  byId('ask').addEventListener('submit', (e) => { e.preventDefault(); if (!running) check(context()); });
}

// Figures that change several times a second are not read aloud.
function say(text, silently = false) {
  byId('progress').setAttribute('aria-live', silently ? 'off' : 'polite');
  byId('progress').textContent = text;
}

async function check(context) {
  const { model, name } = context;
  running = new AbortController();
  byId('start').disabled = true;
  byId('cancel').disabled = false;
  show(byId('results'));
  say('Started …');
  const args = { model, ...question(), engine: byId('engine').value, seconds: Number(byId('seconds').value), certificates: byId('certificates').checked, hints: byId('hints').checked };
  try {
    const answer = await call('check', args, { signal: running.signal, progress: (p) => say(told(p), true) });
    say(answer.outcome);
    show(byId('results'), answer.report.results.map((r, i) => result(r, answer.told[i], context)), downloads(answer, name));
  } catch (e) {
    say(wasAborted(e) ? 'Cancelled.' : 'There is no answer.');
    if (!wasAborted(e)) {
      const notes = (e.why?.diagnostics ?? []).map((d) => `${d.start.line}:${d.start.column} ${d.message}`);
      show(byId('results'), el('div', { class: 'result unknown' }, el('pre', {}, [e.message, ...notes].join('\n'))));
    }
  } finally {
    running = null;
    byId('start').disabled = false;
    byId('cancel').disabled = true;
  }
}

function told(p) {
  const rate = p.seconds > 0 ? Math.round(p.states / p.seconds) : 0;
  const memory = p.bytes >= 1 << 20 ? `${(p.bytes / (1 << 20)).toFixed(0)} MB` : `${Math.round(p.bytes / 1024)} kB`;
  const engines = p.engines.filter((e) => e !== 'auto');
  return `${plural(p.states, 'state')}, ${rate.toLocaleString('en')} a second, ${plural(p.waiting, 'state')} waiting, ${memory}, ${p.seconds.toFixed(1)} s${engines.length ? `; at work: ${engines.join(', ')}` : ''}`;
}

function result(r, words, { replay }) {
  const figures = [r.statistics.states !== undefined && plural(r.statistics.states, 'state'), r.statistics.events !== undefined && plural(r.statistics.events, 'event'), `${r.statistics.seconds.toFixed(2)} s`];
  const buttons = r.trace ? [el('button', { type: 'button', class: 'replay', onclick: () => replay(r.trace) }, 'Replay the run')] : [];
  return el('article', { class: `result ${r.verdict}`, 'data-verdict': r.verdict },
    el('h3', {}, r.property), el('p', {}, el('span', { class: 'verdict' }, r.verdict), `: ${words.why}${r.expect && r.verdict !== 'unknown' && r.expect !== r.verdict ? ` (the model expects: ${r.expect})` : ''}`),
    el('div', { class: 'row' }, ...buttons),
    words.text ? el('pre', { class: 'out' }, words.text) : null,
    ...(r.hints ?? []).map((h) => el('p', {}, `Hint: ${h}`)),
    el('p', { class: 'note' }, `${r.engine}: ${figures.filter(Boolean).join(', ')}${r.evidence ? `; ${r.evidence.note}` : ''}`),
    ...(r.warnings ?? []).map((w) => el('p', { class: 'note' }, `warning: ${w}`)));
}

function downloads(answer, name) {
  const stem = name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') || 'model';
  const button = (text, file, kind, content) => el('button', { type: 'button', onclick: () => download(file, kind, content) }, text);
  const results = answer.report.results;
  const trace = results.find((r) => r.trace)?.trace;
  const chart = answer.told.find((t) => t.chart)?.chart;
  const waiting = answer.told.find((t) => t.waiting)?.waiting;
  return el('section', { 'aria-label': 'Downloads' }, el('h3', {}, 'Take away'), el('div', { class: 'row', id: 'downloads' },
    button('report (HTML)', `${stem}.html`, 'text/html', answer.html),
    button('report (JSON)', `${stem}.json`, 'application/json', JSON.stringify(answer.report, null, 2)),
    trace && button('trace', `${stem}.trace.json`, 'application/json', JSON.stringify(trace, null, 2)),
    answer.certificate && button('certificate', `${stem}.certificate.json`, 'application/json', JSON.stringify(answer.certificate)),
    chart && button('chart (SVG)', `${stem}.chart.svg`, 'image/svg+xml', chart),
    waiting && button('who waits (SVG)', `${stem}.waiting.svg`, 'image/svg+xml', waiting)));
}
