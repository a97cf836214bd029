// The model as a Petri net: places with their tokens, transitions that can be fired by a click.

import { el, shortened, plural } from './dom.js';
import { drawn, framed } from './graph.js';

// A larger net is drawn around one of its transitions, or around those that can fire.
const WHOLE = 150;
const AROUND = 70;

let centre = '';
export const forgetCentre = () => { centre = ''; };

export function netView({ look, state, take, redraw }) {
  const net = look.net;
  if (!net) {
    return el('p', { class: 'note' }, 'This model is not shown as a net: it has objects that are no counters, or the net would be too large.');
  }
  const size = net.places.length + net.transitions.length;
  const enabled = new Set(state.enabled.map((e) => e.transition));
  const marking = state.marking ?? {};
  const can = (t) => enabled.has(net.transitions[t].transition) && net.transitions[t].pre.every(([p, w]) => (marking[p] ?? 0) >= w);
  let [places, transitions] = [[...net.places.keys()], [...net.transitions.keys()]];
  let note = null;
  let search = null;
  if (size > WHOLE) {
    const named = centre && net.transitions.findIndex((t) => t.name.includes(centre));
    const place = centre && named < 0 ? net.places.findIndex((p) => p.includes(centre)) : -1;
    [places, transitions] = near(net, centre && (named >= 0 || place >= 0) ? { named, place } : null, can, marking);
    const around = transitions.some(can) ? 'what can fire' : places.some((p) => marking[p]) ? 'the tokens: nothing can fire' : 'its first place: there are no tokens';
    note = el('p', { class: 'note' }, `The net has ${plural(net.places.length, 'place')} and ${plural(net.transitions.length, 'transition')}: this is the part around ${
      centre && (named >= 0 || place >= 0) ? `“${named >= 0 ? net.transitions[named].name : net.places[place]}”` : around}.`);
    search = el('label', {}, 'Around ', el('input', { type: 'search', value: centre, onchange: (e) => { centre = e.target.value; redraw(); } }));
  }
  const numbers = new Map();
  places.forEach((p) => numbers.set(`p${p}`, numbers.size));
  transitions.forEach((t) => numbers.set(`t${t}`, numbers.size));
  const nodes = [
    ...places.map((p) => ({ key: `place ${p}`, shape: 'circle', lines: [shortened(net.places[p], 22)], tokens: marking[p] ?? 0, title: `${net.places[p]}: ${plural(marking[p] ?? 0, 'token')}`, class: `place ${marking[p] ? 'lit' : ''}` })),
    ...transitions.map((t) => ({ key: `transition ${t}`, lines: [shortened(net.transitions[t].name, 26)], title: net.transitions[t].name, class: `transition ${can(t) ? 'can' : ''}`, click: can(t) ? () => take(net.transitions[t].transition) : undefined })),
  ];
  const edges = [];
  transitions.forEach((t) => {
    const own = numbers.get(`t${t}`);
    const weight = (w) => (w > 1 ? [String(w)] : []);
    net.transitions[t].pre.forEach(([p, w]) => { if (numbers.has(`p${p}`)) edges.push({ from: numbers.get(`p${p}`), to: own, lines: weight(w) }); });
    net.transitions[t].post.forEach(([p, w]) => { if (numbers.has(`p${p}`)) edges.push({ from: own, to: numbers.get(`p${p}`), lines: weight(w) }); });
  });
  const { root, width, height } = drawn(nodes, edges, { name: 'The net', gapX: 18, gapY: 26, sources: places.map((p, i) => (net.initial[p] ? i : -1)).filter((i) => i >= 0) });
  const { bar, frame } = framed(root, { width, height, name: 'The net', tools: search ? [search] : [], key: 'net' });
  return el('div', {}, bar, note, frame, el('p', { class: 'note' }, 'Circles: places with their tokens. Boxes: transitions; those with a thick border can fire.'));
}

// Nodes around a centre, nearest first.
function near(net, around, can, marking) {
  const [consumers, producers] = [new Map(), new Map()];
  net.transitions.forEach((t, i) => {
    t.pre.forEach(([p]) => { if (!consumers.has(p)) consumers.set(p, []); consumers.get(p).push(i); });
    t.post.forEach(([p]) => { if (!producers.has(p)) producers.set(p, []); producers.get(p).push(i); });
  });
  let queue;
  if (around) queue = around.named >= 0 ? [`t${around.named}`] : [`p${around.place}`];
  else {
    queue = [];
    for (let t = 0; t < net.transitions.length && queue.length < 12; t++) if (can(t)) queue.push(`t${t}`);
    if (!queue.length) queue = Object.keys(marking).slice(0, 12).map((p) => `p${p}`);
    if (!queue.length) queue = ['p0'];
  }
  const seen = new Set(queue);
  for (let q = 0; q < queue.length && queue.length < AROUND; q++) {
    const [sort, i] = [queue[q][0], Number(queue[q].slice(1))];
    const next = sort === 't' ? [...net.transitions[i].pre, ...net.transitions[i].post].map(([p]) => `p${p}`)
      : [...(producers.get(i) ?? []), ...(consumers.get(i) ?? [])].map((t) => `t${t}`);
    for (const n of next) if (!seen.has(n) && queue.length < AROUND) { seen.add(n); queue.push(n); }
  }
  const of = (sort) => queue.filter((n) => n[0] === sort).map((n) => Number(n.slice(1))).sort((a, b) => a - b);
  return [of('p'), of('t')];
}
