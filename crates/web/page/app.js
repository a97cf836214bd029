// The page as a whole: which model, which run, which view; everything else is drawn from that.

import { el, byId, show, plural } from './dom.js';
import { call, latest, wasAborted } from './api.js';
import { renderSteps } from './step.js';
import { systemView } from './system.js';
import { automataView, forgetProcesses } from './automata.js';
import { netView, forgetCentre } from './net.js';
import { spaceView } from './space.js';
import { fillEngines, fillQuestions, setUpCheck } from './check.js';
import { forgetZooms, framedPicture } from './graph.js';
import { Editor } from './editor.js';

const PLAY = 900;
const page = { intro: null, which: {}, text: null, look: null, state: null, run: [], at: 0, tab: 'system', playing: 0, replaying: '', repeats: 0, filter: '', edition: 0 };
const known = new Map();
let editor;

// The model as calls name it.
const model = () => ({ ...page.which, ...(page.text === null ? {} : { text: page.text }) });
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
  byId('which').addEventListener('change', () => choose(byId('which').value).catch(complain));
  editor = new Editor({ which: () => page.which, adopt: (text) => { page.text = text; look().catch(complain); } });
  setUpCheck(() => ({ model: model(), name: modelName(), replay }));
  setUpRun();
  await choose('');
}

async function choose(id) {
  page.which = id ? { gallery: id } : {};
  page.text = null;
  const text = id ? (await call('gallery', { id })).text : page.intro.text;
  editor.open(text, { editable: text !== null, canSave: !id && page.intro.can_save });
  show(byId('results'));
  byId('progress').textContent = '';
  await look();
}

// Reads the model anew, from its initial state.
async function look() {
  stop();
  page.edition++;
  known.clear();
  forgetProcesses();
  forgetCentre();
  forgetZooms();
  try {
    page.look = await latest('look', 'look', { model: model() });
  } catch (e) {
    if (wasAborted(e)) return;
    page.look = null;
    complain(e);
    show(byId('tabs'));
    byId('title').textContent = modelName();
    byId('about').textContent = '';
    // What is wrong is best seen in the text.
    show(byId('panel'), editor.root);
    editor.look();
    return;
  }
  calm();
  const { name, file, set, processes, objects, transitions } = page.look.model;
  byId('title').textContent = `${name}${set.length ? ` (${set.join(', ')})` : ''}`;
  byId('about').textContent = `${file}: ${plural(processes, 'process')}, ${plural(objects, 'object')}, ${plural(transitions, 'transition')}${
    page.look.abstracted.length ? `; ${page.look.abstracted[0]}` : ''}`;
  document.title = `${name} · Impasse`;
  fillQuestions(page.look);
  Object.assign(page, { run: [], at: 0, replaying: '', repeats: 0, filter: '' });
  byId('filter').value = '';
  await go(0);
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
  try {
    const state = await stateAt(at);
    Object.assign(page, { at, state });
    calm();
    render();
  } catch (e) {
    stop();
    complain(e);
  }
}

function take(transition) {
  stop();
  // Along a run that is known one only goes on.
  if (page.run[page.at] !== transition) {
    page.run = [...page.run.slice(0, page.at), transition];
    Object.assign(page, { replaying: '', repeats: 0 });
  }
  return go(page.at + 1);
}

function replay(trace) {
  const steps = [...trace.stem, ...(trace.cycle ?? [])];
  const strange = steps.find((s) => page.look.transitions && page.look.transitions[s.transition]?.name !== s.name);
  if (strange) { complain(new Error(`the run does not fit the model as it is shown: ${strange.name}`)); return; }
  Object.assign(page, { run: steps.map((s) => s.transition), replaying: trace.property, repeats: trace.cycle?.length ? trace.stem.length + 1 : 0 });
  go(0).then(play);
}

// A trace that was saved before, here or by `impasse check --trace`.
async function load(file) {
  try {
    const trace = JSON.parse(await file.text());
    if (!String(trace.schema).startsWith('impasse-trace-')) throw new Error(`${file.name} is no trace`);
    replay(trace);
  } catch (e) {
    complain(e instanceof SyntaxError ? new Error(`${file.name} is no trace`) : e);
  }
}

function play() {
  if (page.at === page.run.length) return;
  stop();
  const tick = async () => {
    await go(page.at + 1);
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
  const keep = (act) => () => { stop(); act(); };
  const random = () => {
    const enabled = page.state.enabled.filter((e) => !e.fault);
    if (enabled.length) take(enabled[Math.floor(Math.random() * enabled.length)].transition);
  };
  const first = keep(() => go(0));
  const last = keep(() => go(page.run.length));
  const back = keep(() => page.at > 0 && go(page.at - 1));
  const forward = keep(() => page.at < page.run.length && go(page.at + 1));
  const toggle = () => { if (page.playing) { stop(); render(); } else play(); };
  on('first', first); on('last', last); on('back', back); on('forward', forward); on('play', toggle); on('random', random);
  byId('trace').addEventListener('change', (e) => { if (e.target.files[0]) load(e.target.files[0]); e.target.value = ''; });
  let timer = 0;
  byId('filter').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => { page.filter = byId('filter').value; go(page.at); }, 250); });
  on('help-button', () => { byId('help').hidden = !byId('help').hidden; byId('help-button').setAttribute('aria-expanded', String(!byId('help').hidden)); });
  const keys = { ArrowLeft: back, ArrowRight: forward, Home: first, End: last, ' ': toggle, r: random, c: () => byId('start').click() };
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, select, textarea, [role=tab]') || !page.state) return;
    if (e.key === ' ' && e.target.closest('button, summary, a')) return;
    const number = /^[1-9]$/.test(e.key) ? page.state.enabled[Number(e.key) - 1] : null;
    if (number) { e.preventDefault(); take(number.transition); } else if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
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
  look: page.look, state: page.state, run: page.run.slice(0, page.at), model: model(), take, go, redraw: renderView, key: page.edition,
});

function render() {
  if (!page.look || !page.state) return;
  renderSteps({ ...context(), run: page.run, at: page.at, playing: page.playing, replaying: page.replaying, repeats: page.repeats });
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

function chartView({ state }) {
  if (!state.chart) return el('p', { class: 'note' }, 'No process has done anything yet: take a step, and the chart grows.');
  const alt = 'A sequence chart of the run: a lane for each process, time going down';
  const { bar, frame } = framedPicture(state.chart, { name: 'Sequence chart', alt, key: 'chart', least: 0.6 });
  frame.firstChild.addEventListener('load', () => { frame.scrollTop = frame.scrollHeight; });
  return el('div', {}, bar, frame);
}

function waitingView({ state }) {
  const waits = state.waiting;
  if (!waits) return el('p', { class: 'note' }, 'Nobody waits: there are no processes, and something can happen.');
  const sentences = waits.cycle.map((l) => el('li', { class: 'cycle' }, l.text)).concat(waits.no_cycle.map((s) => el('li', {}, s)));
  const stuck = waits.stuck.slice(0, 60).map((p) => el('li', {}, `${p.process} at ${p.at} cannot move${p.may_stop ? ' (it may stop there)' : ''}`,
    el('ul', {}, ...p.waits.map((w) => el('li', {}, `${w.step}: ${w.blockers.map((b) => b.text + (b.advice ? ` (${b.advice})` : '')).join('; ')}`)))));
  return el('div', {},
    el('p', { class: waits.cycle.length ? 'cycle' : 'note', id: 'wait-head' }, waits.cycle.length ? 'A cycle: each of these waits for the next.'
      : waits.siphon ? 'Places that are empty and stay so.' : stuck.length ? 'Some cannot move; nobody waits in a circle.' : 'Everybody can move.'),
    ...(waits.svg && stuck.length + (waits.siphon?.length ?? 0) ? Object.values(framedPicture(waits.svg, { name: 'Wait-for graph', alt: 'Who waits for whom; the sentences say the same', key: 'waiting' })) : []),
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
