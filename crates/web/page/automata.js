// Each process as an automaton: the current location is lit, what it can do next is blue and can be clicked.

import { el, shortened, plural } from './dom.js';
import { drawn, framed } from './graph.js';

// A larger automaton is drawn around the current location only.
const WHOLE = 120;
const AROUND = 50;

// More are too much to look at.
const DRAWN = 12;

// Nothing as long as nobody has chosen.
let chosen = null;
let typed = '';
export const forgetProcesses = () => { chosen = null; typed = ''; };

export function automataView(context) {
  const { look, redraw } = context;
  if (!look.processes.length) return el('p', { class: 'note' }, 'There are no processes here: this is a net. See the tab “Net”.');
  if (!chosen) {
    chosen = new Set();
    let locations = 0;
    look.processes.slice(0, 6).forEach((p, i) => { locations += p.locations.length; if (!i || locations <= 60) chosen.add(i); });
  }
  const toggle = (i) => () => { if (chosen.has(i)) chosen.delete(i); else chosen.add(i); redraw(); };
  const matching = look.processes.map((p, i) => [p, i]).filter(([p]) => p.name.includes(typed));
  const chips = matching.slice(0, 200).map(([p, i]) => el('button', { type: 'button', 'data-key': `chip ${i}`, 'aria-pressed': String(chosen.has(i)), onclick: toggle(i) }, p.name));
  const search = look.processes.length > 24
    ? el('label', { class: 'filter' }, 'Only those with ', el('input', { type: 'search', value: typed, onchange: (e) => { typed = e.target.value; redraw(); } })) : null;
  const wanted = [...chosen].sort((a, b) => a - b);
  const figures = wanted.slice(0, DRAWN).map((i) => automaton(context, i));
  const left = wanted.slice(DRAWN).map((i) => look.processes[i].name);
  return el('div', {}, search, el('div', { class: 'chips', role: 'group', 'aria-label': 'Processes that are shown' }, ...chips),
    matching.length > 200 ? el('p', { class: 'note' }, `${plural(matching.length - 200, 'process')} more: type a part of the name.`) : null,
    left.length ? el('p', { class: 'note', id: 'not-drawn' }, `${DRAWN} are drawn at once; not drawn: ${left.slice(0, 6).join(', ')}${left.length > 6 ? ` and ${left.length - 6} more` : ''}.`) : null,
    wanted.length ? null : el('p', { class: 'note' }, 'No process is chosen.'),
    el('p', { class: 'note' }, 'Yellow: where the process is. Blue: what it can do now. Double border: it may stop there for good.'),
    el('div', { class: 'automata' }, ...figures));
}

function automaton({ look, state, take }, number) {
  const process = look.processes[number];
  const at = state.at[number];
  const enabled = new Set(state.enabled.map((e) => e.transition));
  let shown = [...process.locations.keys()];
  let note = null;
  if (shown.length > WHOLE) {
    shown = near(process, at);
    note = el('p', { class: 'note' }, `${shown.length} of ${plural(process.locations.length, 'location')}, around the current one.`);
  }
  const index = new Map();
  // The initial location, or the current one, is on top.
  const first = index.size || shown.includes(process.initial) ? process.initial : at;
  [first, ...shown.filter((l) => l !== first)].forEach((l, i) => index.set(l, i));
  const nodes = [...index.keys()].map((l) => ({
    key: `location ${number} ${l}`, lines: [shortened(process.locations[l].name, 30)], ring: process.locations[l].end,
    title: process.locations[l].name + (process.locations[l].end ? ' (may stop here)' : ''),
    class: `${l === at ? 'lit current' : ''} ${l === process.initial ? 'initial' : ''}`,
  }));
  const edges = merged(process.edges.filter((e) => index.has(e.from) && index.has(e.to))).map((e) => {
    const now = e.from === at && e.transitions.filter((t) => enabled.has(t));
    const can = now && now.length > 0;
    return {
      key: `edge ${number} ${e.from} ${e.to}`, from: index.get(e.from), to: index.get(e.to), lines: e.lines, class: can ? 'can' : '',
      title: e.lines.join('\n'), click: can && now.length === 1 ? () => take(now[0]) : undefined,
    };
  });
  const name = `${process.name} is at ${process.locations[at]?.name}`;
  const { root, width, height } = drawn(nodes, edges, { name });
  const { bar, frame } = framed(root, { width, height, name, key: `process ${number}` });
  return el('figure', {}, el('figcaption', {}, name), bar, note, frame);
}

// A name is followed by what the step does; where the name is the text of a statement, or nobody gave one, one of both is enough.
function worded({ label, text }) {
  if (/^[\w.-]+$/.test(label) && text) return `${label}: ${text}`;
  return /^[\w.-]+->[\w.-]+$/.test(label) ? text || label : label || text;
}

// Edges between the same two locations are one, with a line each.
function merged(edges) {
  const groups = new Map();
  for (const e of edges) {
    const key = `${e.from} ${e.to}`;
    if (!groups.has(key)) groups.set(key, { from: e.from, to: e.to, lines: [], transitions: [] });
    const group = groups.get(key);
    group.lines.push(...(group.lines.length < 4 ? [worded(e)] : group.lines.length === 4 ? ['…'] : []));
    group.transitions.push(...e.transitions);
  }
  return [...groups.values()];
}

function near(process, at) {
  const around = new Map(process.locations.map((_, i) => [i, []]));
  process.edges.forEach((e) => { around.get(e.from).push(e.to); around.get(e.to).push(e.from); });
  const found = [at];
  const seen = new Set(found);
  for (let q = 0; q < found.length && found.length < AROUND; q++) {
    for (const l of around.get(found[q])) if (!seen.has(l) && found.length < AROUND) { seen.add(l); found.push(l); }
  }
  return found;
}
