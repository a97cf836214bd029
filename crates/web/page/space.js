// The states: all of them, or those around the current one; beside them what a search with persistent sets needs of them.

import { el, keepingFocus, plural, shortened } from './dom.js';
import { drawn, framed } from './graph.js';
import { latest, wasAborted } from './api.js';

// With more states than this, they are dots; what is different in each is said by its title.
const WORDS = 40;

const counted = (c) => `${c.complete ? '' : 'more than '}${plural(c.states, 'state')}, ${plural(c.transitions, 'transition')}`;

let shown = {};

export function spaceView({ run, model, take, key }) {
  // What was shown of the same model stays until there is something new.
  const box = el('div', {}, ...(shown.key === key ? shown.nodes : [el('p', { class: 'note', role: 'status' }, 'Looking at the states …')]));
  latest('space', 'space', { model, run }).then((space) => {
    shown = { key, nodes: content(space, { take, key }) };
    keepingFocus(() => box.replaceChildren(...shown.nodes));
  }, (e) => {
    if (!wasAborted(e)) box.replaceChildren(el('p', { class: 'note' }, e.message));
  });
  return box;
}

function content(space, { take, key }) {
  const few = space.states.length <= WORDS;
  const path = new Set(space.path);
  const steps = new Set(space.taken.map(([from, to]) => `${from} ${to}`));
  const firstOf = new Map(space.edges.filter((e) => e.from === space.current).map((e) => [e.to, e.transition]));
  const nodes = (reduced) => space.states.map((s, i) => ({
    key: `state ${i}${reduced ? ' reduced' : ''}`, shape: few ? 'box' : 'dot', lines: few ? words(s, i) : [],
    title: `${s.label.length ? s.label.join('\n') : 'the initial state'}${s.deadlock ? '\ndeadlock' : ''}${s.end ? '\nmay end here' : ''}${s.more ? '\nmore follows' : ''}`,
    class: [i === space.current && 'lit current', s.deadlock && 'bad deadlock', path.has(i) && 'on', reduced && !s.reduced && 'ghost', s.reduced && 'kept'].filter(Boolean).join(' '),
    ring: s.end,
    click: firstOf.has(i) && i !== space.current ? () => take(firstOf.get(i)) : undefined,
  }));
  const edges = (reduced) => space.edges.map((e) => ({
    from: e.from, to: e.to, title: e.name,
    lines: few && space.edges.length <= 60 ? [shortened(e.name, 22)] : [],
    class: [steps.has(`${e.from} ${e.to}`) && 'taken', reduced && (e.reduced ? 'needed' : 'ghost')].filter(Boolean).join(' '),
  }));
  const ranks = space.states.map((s) => s.depth);
  const options = few ? { sources: space.path.slice(0, 1) } : { ranks, gapX: 8, gapY: 26 };
  const full = drawn(nodes(false), edges(false), { ...options, name: 'States' });
  const part = drawn(nodes(true), edges(true), { ...options, name: 'The reduced state space', at: full.layout });
  const panel = (picture, title, count, id) => {
    const { bar, frame } = framed(picture.root, { width: picture.width, height: picture.height, name: title, least: few ? 0.5 : 0.2, key: `${id} ${key}` });
    centred(frame);
    return el('section', { id }, el('h3', {}, title), el('p', { class: 'note' }, count), bar, frame);
  };
  const after = space.states.length - space.before - 1;
  const what = space.whole ? 'All states'
    : `The current state${space.before ? `, ${space.before} before it` : ''}${after ? `, ${after} after it` : '; nothing follows'}`;
  return [
    el('div', { class: 'beside' },
      panel(full, what, `In all: ${counted(space.full)}.`, 'space-full'),
      panel(part, 'What a search for deadlocks needs', `With persistent sets: ${counted(space.selected)}.`, 'space-reduced')),
    el('p', { class: 'note' }, 'Yellow: the current state. Red border: deadlock. Red lines: the run. Faint: left out. Both drawings have every state at the same place; persistent sets keep every deadlock, and leave out orders of steps that come to the same.'),
    space.passing ? el('p', { class: 'note' }, 'The states inside atomic sequences are drawn and counted here, too; searches pass them without storing them.') : '',
    space.faults ? el('p', { class: 'note' }, `${plural(space.faults, 'step')} here are model errors, which lead nowhere.`) : '',
  ];
}

// The current state is where one looks first.
function centred(frame) {
  requestAnimationFrame(() => {
    const at = frame.querySelector('.current')?.getBoundingClientRect();
    if (!at) return;
    const own = frame.getBoundingClientRect();
    const inside = at.left >= own.left && at.right <= own.right && at.top >= own.top && at.bottom <= own.bottom;
    if (!inside) frame.scrollBy(at.left - own.left - own.width / 2, at.top - own.top - own.height / 2);
  });
}

function words(state, i) {
  if (!state.label.length) return [i === 0 && !state.depth ? 'start' : 'as at the start'];
  return state.label.slice(0, 4).map((l) => shortened(l, 26)).concat(state.label.length > 4 ? ['…'] : []);
}
