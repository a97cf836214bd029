// Step mode: what can happen, why the rest cannot, and the run so far, along which one can go.

import { el, byId, show, plural } from './dom.js';

// So many steps of a long run are listed around the current one.
const LISTED = 120;

export function renderSteps(context) {
  const { look, state, run, at, take, go, playing, filter, replaying, repeats } = context;
  const broken = Boolean(context.broken && replaying);
  byId('first').disabled = at === 0;
  byId('back').disabled = at === 0;
  byId('forward').disabled = at === run.length;
  byId('last').disabled = at === run.length;
  byId('play').disabled = at === run.length && !playing;
  byId('play').textContent = playing ? '❚❚' : '▶';
  byId('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  byId('random').disabled = !state.enabled.length;
  const where = byId('where');
  where.textContent = sentence(state, at, run.length, { replaying, broken, repeats });
  where.classList.toggle('bad', state.deadlock || Boolean(state.fault) || (broken && at === run.length));
  // Where several are called the same, as steps that nobody sees are, it is said who takes them.
  const twice = new Set(state.enabled.map((e) => e.name).filter((n, i, all) => all.indexOf(n) !== i));
  const who = (e) => (twice.has(e.name) ? (look.transitions?.[e.transition]?.processes ?? []).map((p) => look.processes[p]?.name).join(', ') : '');
  const name = (t) => look.transitions?.[t]?.name ?? `transition ${t}`;
  show(byId('enabled'), state.enabled.map((e, i) => el('li', {},
    el('button', { type: 'button', class: e.fault ? 'fault' : undefined, 'data-key': `take ${e.transition}`, onclick: () => take(e.transition) },
      i < 9 ? el('kbd', { 'aria-hidden': 'true' }, i + 1) : null, e.name, who(e) ? ` (${who(e)})` : '',
      el('small', {}, e.fault ? `model error: ${e.fault}` : look.transitions?.[e.transition]?.text)))));
  const more = state.enabled_count - state.enabled.length;
  if (filter && !state.enabled.length && state.enabled_count) byId('enabled').append(el('li', { class: 'note' }, `None of the ${plural(state.enabled_count, 'transition')} that can happen has “${filter}” in its name.`));
  else if (more > 0) byId('enabled').append(el('li', { class: 'note' }, `${plural(state.enabled_count, 'transition')} can happen; a part of the name finds others.`));
  if (!state.enabled_count) byId('enabled').append(el('li', { class: 'note' }, state.may_end ? 'Nothing: everybody may stop here.' : 'Nothing: this is a deadlock.'));
  show(byId('disabled'), state.disabled.map((d) => el('li', {}, d.name, el('small', {}, d.reasons.join('; ')))));
  if (state.more_disabled) byId('disabled').append(el('li', { class: 'note' }, 'And more: a part of the name finds others.'));
  if (!state.disabled.length) byId('disabled').append(el('li', { class: 'note' }, filter ? `Of what cannot happen, nothing has “${filter}” in its name.` : 'Nothing else could happen here.'));
  byId('filter-label').hidden = (look.model.transitions ?? 0) <= 30;
  const from = Math.max(0, Math.min(at - LISTED / 2, run.length - LISTED));
  const shown = run.slice(from, from + LISTED);
  const item = (t, i) => el('li', { class: [i + 1 === at && 'at', i + 1 > at && 'future'].filter(Boolean).join(' ') },
    el('button', { type: 'button', 'data-key': `step ${i + 1}`, onclick: () => go(i + 1), 'aria-current': i + 1 === at ? 'step' : undefined }, `${i + 1}. ${name(t)}`));
  const rest = run.length - from - shown.length;
  show(byId('steps'),
    el('li', { class: at === 0 ? 'at' : '' }, el('button', { type: 'button', 'data-key': 'step 0', onclick: () => go(0), 'aria-current': at === 0 ? 'step' : undefined }, 'start')),
    from > 0 ? el('li', { class: 'note' }, `… ${plural(from, 'step')} before`) : null,
    shown.map((t, k) => item(t, from + k)), rest > 0 ? el('li', { class: 'note' }, `… ${plural(rest, 'step')} more`) : null);
  follow(byId('steps'));
}

function sentence(state, at, length, { replaying, broken, repeats }) {
  const place = at === 0 ? 'The initial state' : `After step ${at}${length > at ? ` of ${length}` : ''}`;
  const what = state.last ? `: ${state.last.changes.map((c) => `${c.subject} is ${c.after}`).slice(0, 3).join(', ') || 'nothing changed'}` : '';
  const end = state.fault ? `. Model error: ${state.fault}` : state.deadlock ? '. Deadlock: nothing can happen any more' : '';
  const again = repeats && at === length ? `. And so on for ever: steps ${repeats} to ${length} repeat` : '';
  // A deadlock has said so already, and so has a run that goes on for ever.
  const here = broken && at === length && !end && !again ? `. Here ${replaying} is violated` : '';
  return `${replaying ? `Run of ${replaying}. ` : ''}${place}${what}${end}${again}${here}.`;
}

// Brings the current step into the list's view, and moves nothing but the list: the drawing stays where it is.
function follow(list) {
  const at = list.querySelector('.at');
  if (!at) return;
  const above = at.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (above < 0) list.scrollTop += above;
  else if (above + at.offsetHeight > list.clientHeight) list.scrollTop += above + at.offsetHeight - list.clientHeight;
}
