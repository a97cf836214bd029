// The page as a whole: which model, which run, which view; everything else is drawn from that.

import { el, byId, keepingFocus, show, plural } from './dom.js';
import { call, latest, wasAborted } from './api.js';
import { renderSteps } from './step.js';
import { systemView } from './system.js';
import { automataView, forgetProcesses } from './automata.js';
import { netView, forgetCentre } from './net.js';
import { spaceView } from './space.js';
import { date, fillEngines, fillQuestions, forget, hold, setUpCheck } from './check.js';
import { forgetZooms, framedPicture } from './graph.js';
import { Editor, PENDING, WRONG } from './editor.js';

const PLAY = 900;
const page = { intro: null, which: {}, subjects: [], process: '', text: null, look: null, state: null, reading: true, run: [], at: 0, tab: 'system', playing: 0, replaying: '', broken: false, repeats: 0, filter: '', edition: 0 };
const known = new Map();
let editor;

// The model as calls name it.
const file = () => ({ ...page.which, ...(page.text === null ? {} : { text: page.text }) });
// A script may be about several processes, of which one is looked at.
const model = () => ({ ...file(), ...(page.process ? { process: page.process } : {}) });
const subject = () => page.process || page.subjects[0]?.process;
// The text that the views show, to tell it from others.
const seen = () => JSON.stringify([page.which, page.text ?? editor.original]);
const modelName = () => page.which.gallery ?? page.intro.file;

function complain(e) {
  if (wasAborted(e)) return;
  const notes = (e.why?.diagnostics ?? []).map((d) => `line ${d.start.line}: ${d.message}`);
  byId('notice').textContent = [e.message ?? String(e), ...notes].join('\n');
  byId('notice').hidden = false;
}
const calm = () => { byId('notice').hidden = true; };

// ------------------------------------------------------------------ models

async function start() {
  page.intro = await call('open', {});
  fillEngines(page.intro.engines, page.intro.longest);
  show(byId('which'), el('option', { value: '' }, page.intro.file),
    el('optgroup', { label: 'Gallery' }, ...page.intro.gallery.map((g) => el('option', { value: g.id, title: g.about }, `${g.id}: ${g.about}`))));
  byId('which').addEventListener('change', () => {
    if (mayLeave()) choose(byId('which').value).catch(complain);
    else byId('which').value = page.which.gallery ?? '';
  });
  window.addEventListener('beforeunload', (e) => { if (editor.changed) e.preventDefault(); });
  editor = new Editor({ which: () => page.which, adopt: (text) => { page.text = text; look().catch(complain); }, told: stand, hasViews: () => Boolean(page.look) });
  byId('subject').addEventListener('change', () => observe(byId('subject').value).catch(complain));
  setUpCheck(() => ({ model: file(), subject: subject(), name: modelName(), text: seen(), now: seen, replay }));
  setUpRun();
  await choose('');
}

const mayLeave = () => !editor.changed || window.confirm('The text was edited and not saved. Leave it, and lose what was changed?');

async function choose(id) {
  const which = id ? { gallery: id } : {};
  Object.assign(page, { which, process: '', text: null, state: null, reading: true });
  stop();
  forget();
  stand();
  // The file may have been saved since, here or elsewhere.
  const opened = id ? call('gallery', { id }) : call('open', {});
  const { text, can_save: canSave } = await opened.catch((e) => {
    if (page.which === which) unreadable();
    throw e;
  });
  if (page.which !== which) return;
  editor.open(text, { editable: text !== null, canSave: Boolean(canSave) });
  await look();
}

// Says what keeps a check from being about the text that is seen.
function stand() {
  hold(page.reading ? 'The model is being read.' : editor.standing === WRONG ? 'The text has mistakes: there is nothing to check until they are gone.'
    : editor.standing === PENDING ? 'The text is being read.' : page.look ? '' : 'The model cannot be read.');
}

// There is no model to be asked about.
function unreadable() {
  Object.assign(page, { look: null, state: null, reading: false });
  stand();
}

// Another process of the same script.
function observe(process) {
  Object.assign(page, { process, state: null });
  return look();
}

// The model, with the questions about all processes of a script.
async function whole() {
  const first = await latest('look', 'look', { model: file() });
  page.subjects = first.subjects ?? [];
  if (!page.subjects.slice(1).some((s) => s.process === page.process)) page.process = '';
  const shown = page.process ? await latest('look', 'look', { model: model() }) : first;
  show(byId('subject'), page.subjects.map((s) => el('option', { value: s.process, selected: s.process === subject() }, s.process)));
  byId('subject-label').hidden = !page.subjects.length;
  return { ...shown, properties: page.subjects.length ? page.subjects.flatMap((s) => s.properties) : shown.properties };
}

// Reads the model anew, from its initial state; or after the same steps, if they are still there.
async function look() {
  stop();
  wishes.length = 0;
  page.reading ||= !page.look;
  stand();
  const before = page.look && page.state && { run: page.run.map((t) => [t, page.look.transitions?.[t]?.name]), at: page.at, replaying: page.replaying, broken: false, repeats: page.repeats };
  page.edition++;
  known.clear();
  forgetProcesses();
  forgetCentre();
  forgetZooms();
  try {
    page.look = await whole();
  } catch (e) {
    if (wasAborted(e)) return;
    // What is wrong is best seen in the text, which stays there when it is right again.
    page.tab = 'text';
    complain(e);
    unreadable();
    ['tabs', 'enabled', 'disabled', 'steps'].forEach((id) => show(byId(id)));
    byId('where').textContent = '';
    byId('title').textContent = modelName();
    byId('about').textContent = '';
    show(byId('panel'), editor.root);
    editor.look();
    return;
  }
  calm();
  page.reading = false;
  const { name, file, set, processes, objects, transitions } = page.look.model;
  byId('title').textContent = `${name}${set.length ? ` (${set.join(', ')})` : ''}`;
  byId('about').textContent = `${file}: ${plural(processes, 'process')}, ${plural(objects, 'object')}, ${plural(transitions, 'transition')}${
    page.look.abstracted.length ? `; ${page.look.abstracted[0]}` : ''}`;
  document.title = `${name} · Impasse`;
  fillQuestions(page.look);
  stand();
  date(seen());
  Object.assign(page, { run: [], at: 0, replaying: '', repeats: 0, filter: '' });
  byId('filter').value = '';
  if (before?.run.length && await resume(before)) return;
  await go(0);
}

// The same steps again: a comment that was added changes nothing of a run.
async function resume({ run, ...rest }) {
  const now = page.look.transitions ?? [];
  const numbers = new Map(now.map((t, i) => [t.name, i]));
  const again = run.map(([t, name]) => (now[t]?.name === name ? t : numbers.get(name)));
  if (again.includes(undefined)) return false;
  try {
    const edition = page.edition;
    await latest('step', 'step', { model: model(), run: again });
    if (edition !== page.edition) return true;
  } catch (e) {
    return wasAborted(e);
  }
  Object.assign(page, rest, { run: again });
  await go(rest.at);
  return true;
}

// ------------------------------------------------------------------ the run

async function stateAt(at) {
  const run = page.run.slice(0, at);
  const key = `${page.edition} ${page.filter} ${run.join(',')}`;
  if (!known.has(key)) {
    const state = await latest('step', 'step', { model: model(), run, filter: page.filter });
    if (known.size > 300) known.clear();
    known.set(key, state);
  }
  return known.get(key);
}

async function go(at) {
  const edition = page.edition;
  try {
    const state = await stateAt(at);
    if (edition !== page.edition) return;
    Object.assign(page, { at, state });
    calm();
    render();
  } catch (e) {
    stop();
    wishes.length = 0;
    complain(e);
  }
}

// Whoever presses a key four times wants four steps, however long each takes: wishes are fulfilled one after the other. A wish
// is a place of the run (`to`), seen from the one before, or a transition (`pick`), seen from the state that is reached by then.
const wishes = [];
let [busy, fulfilled] = [false, null];
function wish(it) {
  if (!page.state) return null;
  wishes.push(it);
  if (!busy) fulfilled = fulfil();
  return fulfilled;
}

async function fulfil() {
  busy = true;
  while (wishes.length && page.state) {
    let at = page.at;
    if (wishes[0].pick) {
      const transition = wishes.shift().pick(page.state);
      if (transition === undefined) continue;
      // Along a run that is known one only goes on.
      if (page.run[at] !== transition) {
        page.run = [...page.run.slice(0, at), transition];
        Object.assign(page, { replaying: '', repeats: 0 });
      }
      at++;
    }
    // Of moves along the run, all that were wished meanwhile are one.
    while (wishes[0]?.to) at = Math.max(0, Math.min(page.run.length, wishes.shift().to(at)));
    await go(at);
  }
  busy = false;
}

// A click is about what is seen: what comes too late for that is none.
function take(transition) {
  stop();
  const seen = page.state;
  return wish({ pick: (state) => (state === seen ? transition : undefined) });
}

function jump(at) {
  stop();
  return wish({ to: () => at });
}

async function replay(trace, verdict = '') {
  // A run is one of the process that something was asked about.
  const asked = (trace.options ?? []).find((o) => o.startsWith('--process='))?.slice('--process='.length)
    ?? page.subjects.find((s) => s.properties.some((p) => p.name === trace.property))?.process;
  if (page.subjects.some((s) => s.process === asked) && asked !== subject()) await observe(asked);
  if (!page.look) return;
  const steps = [...trace.stem, ...(trace.cycle ?? [])];
  const strange = steps.find((s) => page.look.transitions && page.look.transitions[s.transition]?.name !== s.name);
  if (strange) { complain(new Error(`the run does not fit the model as it is shown: ${strange.name}`)); return; }
  Object.assign(page, { run: steps.map((s) => s.transition), replaying: trace.property, broken: verdict === 'violated', repeats: trace.cycle?.length ? trace.stem.length + 1 : 0 });
  // The keys are now about the run; a button that had the focus would begin anew.
  byId('play').focus();
  wish({ to: () => 0 })?.then(play);
}

// A trace that was saved before, here or by `impasse check --trace`.
async function load(file) {
  try {
    const trace = JSON.parse(await file.text());
    const steps = (list) => Array.isArray(list) && list.every((s) => Number.isInteger(s?.transition));
    if (!String(trace?.schema).startsWith('impasse-trace-') || !steps(trace.stem) || !steps(trace.cycle ?? [])) throw new Error(`${file.name} is no trace`);
    await replay(trace);
  } catch (e) {
    complain(e instanceof SyntaxError ? new Error(`${file.name} is no trace`) : e);
  }
}

function play() {
  if (page.at === page.run.length) return;
  stop();
  const tick = async () => {
    await wish({ to: (at) => at + 1 });
    page.playing = page.playing && page.at < page.run.length ? setTimeout(tick, PLAY) : 0;
    render();
  };
  page.playing = setTimeout(tick, PLAY);
  render();
}

function stop() {
  clearTimeout(page.playing);
  page.playing = 0;
}

function setUpRun() {
  const on = (id, act) => byId(id).addEventListener('click', act);
  const choose = (pick) => { stop(); wish({ pick: (state) => pick(state)?.transition }); };
  const random = () => choose((state) => {
    const enabled = state.enabled.filter((e) => !e.fault);
    return enabled[Math.floor(Math.random() * enabled.length)];
  });
  const along = (to) => () => { stop(); wish({ to }); };
  const [first, last, back, forward] = [() => 0, () => page.run.length, (at) => at - 1, (at) => at + 1].map(along);
  const toggle = () => { if (page.playing) { stop(); render(); } else play(); };
  on('first', first); on('last', last); on('back', back); on('forward', forward); on('play', toggle); on('random', random);
  byId('trace').addEventListener('change', (e) => { if (e.target.files[0]) load(e.target.files[0]); e.target.value = ''; });
  let timer = 0;
  byId('filter').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => { page.filter = byId('filter').value; wish({ to: (at) => at }); }, 250); });
  on('help-button', () => { byId('help').hidden = !byId('help').hidden; byId('help-button').setAttribute('aria-expanded', String(!byId('help').hidden)); });
  const keys = { ArrowLeft: back, ArrowRight: forward, Home: first, End: last, ' ': toggle, r: random, c: () => byId('start').click() };
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea, [role=tab]') || !page.state) return;
    if (e.key === ' ' && e.target.closest('button, summary, a')) return;
    if (scrolls(e)) return;
    const act = /^[1-9]$/.test(e.key) ? () => choose((state) => state.enabled[Number(e.key) - 1]) : keys[e.key];
    if (act) { e.preventDefault(); act(); }
  });
}

// What has the focus and does not fit into its frame is scrolled by the keys that scroll everywhere.
function scrolls({ key, target: t }) {
  if (!t.matches('.canvas, pre')) return false;
  const [wide, high] = [t.scrollWidth > t.clientWidth, t.scrollHeight > t.clientHeight];
  return (/^Arrow(Left|Right)$/.test(key) && wide) || (/^(Home|End)$/.test(key) && (wide || high));
}

// ------------------------------------------------------------------ views

const TABS = [
  ['system', 'System', systemView],
  ['automata', 'Processes', automataView],
  ['net', 'Net', netView],
  ['space', 'States', spaceView],
  ['prefix', 'Unfolding', prefixView],
  ['chart', 'Chart', chartView],
  ['waiting', 'Who waits', waitingView],
  ['text', 'Text', () => editor.root],
];

const context = () => ({
  look: page.look, state: page.state, run: page.run.slice(0, page.at), model: model(), take, go: jump, redraw: () => keepingFocus(renderView), key: page.edition,
});

const render = () => keepingFocus(draw);

function draw() {
  if (!page.look || !page.state) return;
  renderSteps({ ...context(), run: page.run, at: page.at, playing: page.playing, filter: page.filter, replaying: page.replaying, broken: page.broken, repeats: page.repeats });
  const bare = !page.look.processes.length;
  const missing = { automata: bare, net: !page.look.net, system: bare && page.look.net, chart: bare };
  const shown = TABS.filter(([id]) => !missing[id]);
  if (missing[page.tab]) page.tab = shown[0][0];
  show(byId('tabs'), shown.map(([id, name]) => el('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, 'aria-selected': page.tab === id ? 'true' : 'false', 'aria-controls': 'panel', tabindex: page.tab === id ? 0 : -1,
    onclick: () => pick(id), onkeydown: (e) => move(e, shown.map(([i]) => i)),
  }, name, id === 'waiting' && page.state.waiting?.cycle.length ? ' ⟳' : '')));
  byId('panel').setAttribute('aria-labelledby', `tab-${page.tab}`);
  editor.mark((page.state.last?.source ?? []).filter((s) => s.file === page.look.model.file).map((s) => s.line));
  renderView();
}

function renderView() {
  const panel = byId('panel');
  const scroll = panel.querySelector('.canvas');
  const [left, top] = [scroll?.scrollLeft ?? 0, scroll?.scrollTop ?? 0];
  const view = TABS.find(([id]) => id === page.tab)[2](context());
  if (panel.firstChild === view) return;
  const same = panel.dataset.tab === page.tab;
  panel.dataset.tab = page.tab;
  show(panel, view);
  const frame = panel.querySelector('.canvas');
  if (same && frame) { frame.scrollLeft = left; frame.scrollTop = top; }
}

function pick(id) {
  page.tab = id;
  render();
  byId(`tab-${id}`).focus();
}

function move(e, tabs) {
  const to = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!to) return;
  e.preventDefault();
  pick(tabs[(tabs.indexOf(page.tab) + to + tabs.length) % tabs.length]);
}

// Down to here a chart has the names of its lanes.
const LANES = 76;
function chartView({ state }) {
  if (!state.chart) return el('p', { class: 'note' }, 'No process has done anything yet: take a step, and the chart grows.');
  const alt = 'A sequence chart of the run: a lane for each process, time going down';
  const { bar, frame } = framedPicture(state.chart, { name: 'Sequence chart', alt, key: 'chart', least: 0.6, head: LANES });
  frame.lastChild.addEventListener('load', () => { frame.scrollTop = frame.scrollHeight; });
  return el('div', {}, bar, frame);
}

function waitingView({ state }) {
  const waits = state.waiting;
  if (!waits) return el('p', { class: 'note' }, 'Nobody waits: there are no processes, and something can happen.');
  const still = waits.still.slice(0, 6).join(', ') + (waits.still.length > 6 ? ` and ${waits.still.length - 6} more` : '');
  const calm = !state.enabled_count ? `Nothing can happen any more${state.may_end ? ': everybody may stop here' : ''}.`
    : waits.still.length ? `Nobody waits. ${still} cannot move and wait${waits.still.length === 1 ? 's' : ''} for nothing; everybody else can move.` : 'Everybody can move.';
  const sentences = waits.cycle.map((l) => el('li', { class: 'cycle' }, l.text)).concat(waits.no_cycle.map((s) => el('li', {}, s)));
  const stuck = waits.stuck.slice(0, 60).map((p) => el('li', {}, `${p.process} at ${p.at} cannot move${p.may_stop ? ' (it may stop there)' : ''}`,
    el('ul', {}, ...p.waits.map((w) => el('li', {}, `${w.step}: ${w.blockers.map((b) => b.text + (b.advice ? ` (${b.advice})` : '')).join('; ')}`)))));
  return el('div', {},
    el('p', { class: waits.cycle.length ? 'cycle' : 'note', id: 'wait-head' }, waits.cycle.length ? 'A cycle: each of these waits for the next.'
      : waits.siphon ? 'Places that are empty and stay so.' : stuck.length ? `${state.enabled_count ? 'Some cannot move' : 'Nothing can happen any more'}; nobody waits in a circle.` : calm),
    ...(waits.svg && stuck.length + (waits.siphon?.length ?? 0) ? Object.values(framedPicture(waits.svg, { name: 'Wait-for graph', alt: 'Who waits for whom; the sentences say the same', key: 'waiting', least: 0.3, whole: true })) : []),
    el('ul', { class: 'sentences' }, ...sentences, ...stuck));
}

let onlyRun = false;
function prefixView({ run, model, redraw }) {
  const box = el('div', {}, el('p', { class: 'note', role: 'status' }, 'Unfolding …'));
  const mode = (only, text) => el('button', { type: 'button', 'aria-pressed': String(onlyRun === only), onclick: () => { onlyRun = only; redraw(); } }, text);
  const bar = el('div', { class: 'tools' }, mode(false, 'The whole prefix'), mode(true, 'Only this run'));
  latest('prefix', 'prefix', { model, run: onlyRun ? run : [], only_run: onlyRun }).then((answer) => {
    const alt = 'Events and conditions of the unfolding: what really has to happen before what';
    show(box, ...(answer.svg ? Object.values(framedPicture(answer.svg, { name: 'Unfolding', alt, key: `prefix ${onlyRun}`, least: 0.35 })) : [el('p', { class: 'note' }, answer.why)]));
  }, (e) => { if (!wasAborted(e)) show(box, el('p', { class: 'note' }, e.message)); });
  return el('div', {}, bar, box, el('p', { class: 'note' }, 'Everything has its causes above it, joined by arcs. Dashed boxes are cut-offs: what would follow is there already.'));
}

start().catch(complain);
