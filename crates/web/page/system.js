// The system at a glance: processes with where they are, objects with what they hold, and who touches what.

import { el, svg, widthOf, shortened, plural } from './dom.js';
import { framed } from './graph.js';

// With more, those of one family are drawn as one.
const MANY = 60;
const family = (name) => name.replace(/\[[^\]]*\]|:\d+/g, '');

function groupedBy(names, of) {
  const groups = new Map();
  names.forEach((name, i) => {
    const key = of(name);
    if (!groups.has(key)) groups.set(key, { name: key, members: [] });
    groups.get(key).members.push(i);
  });
  return [...groups.values()];
}

// By indices, then by numbers in names; what is still too much is the rest.
function grouped(names) {
  const ways = [(name) => name, family, (name) => family(name).replace(/\d+/g, '#')];
  const groups = ways.map((way) => groupedBy(names, way)).find((g, i) => g.length <= MANY || i === 2);
  if (groups.length <= MANY) return groups;
  return [...groups.slice(0, MANY - 1), { name: 'others', members: groups.slice(MANY - 1).flatMap((g) => g.members) }];
}

export function systemView({ look, state }) {
  const [processes, objects] = [grouped(look.processes.map((p) => p.name)), grouped(look.objects.map((o) => o.name))];
  const groupOf = (groups) => { const of = []; groups.forEach((g, i) => g.members.forEach((m) => { of[m] = i; })); return of; };
  const [ofProcess, ofObject] = [groupOf(processes), groupOf(objects)];
  const can = new Set(state.enabled.flatMap((e) => look.transitions?.[e.transition]?.processes ?? []));
  const counted = (words) => {
    const count = new Map();
    words.forEach((w) => count.set(w, (count.get(w) ?? 0) + 1));
    const parts = [...count].sort((a, b) => b[1] - a[1]);
    return parts.slice(0, 3).map(([w, n]) => (n > 1 ? `${n} × ${w}` : w)).join(', ') + (parts.length > 3 ? ', …' : '');
  };
  const location = (i) => look.processes[i].locations[state.at[i]]?.name ?? '';
  const left = processes.map((g) => ({
    lines: [g.members.length > 1 ? `${g.name} × ${g.members.length}` : g.name, counted(g.members.map(location))],
    class: `process ${g.members.some((m) => can.has(m)) ? 'can-move' : 'stuck'} ${state.control !== null && g.members.includes(state.control) ? 'lit' : ''}`,
    moves: g.members.some((m) => can.has(m)),
  }));
  const right = objects.map((g) => ({
    lines: [g.members.length > 1 ? `${g.name} × ${g.members.length}` : g.name, counted(g.members.map((m) => state.values[m]))],
    title: look.objects[g.members[0]].kind, class: 'object',
  }));
  // Steps that processes take together, and that no channel shows.
  const meets = new Map();
  for (const m of look.meets.filter((m) => !m.on_channel)) {
    const key = m.labels.map(family).slice(0, 3).join(', ') + (m.labels.length > 3 ? ', …' : '');
    if (!meets.has(key)) meets.set(key, new Set());
    m.processes.forEach((p) => meets.get(key).add(ofProcess[p]));
  }
  const joint = [...meets].slice(0, 40).map(([name, who]) => ({ lines: [name, 'together'], class: 'meet', who }));
  const links = new Map();
  for (const t of look.touches) {
    const key = `${ofProcess[t.process]} ${ofObject[t.object]}`;
    const link = links.get(key) ?? { process: ofProcess[t.process], object: ofObject[t.object], reads: false, writes: false };
    links.set(key, { ...link, reads: link.reads || t.reads, writes: link.writes || t.writes });
  }
  const all = [...right, ...joint];
  const arcs = [...links.values()].map((l) => ({ from: l.process, to: l.object, ...l }));
  joint.forEach((j, k) => j.who.forEach((p) => arcs.push({ from: p, to: right.length + k, reads: true, writes: true })));
  const order = sortedByNeighbours(left.length, all.length, arcs);
  const note = (processes.length < look.processes.length || objects.length < look.objects.length)
    ? el('p', { class: 'note' }, `Of ${plural(look.processes.length, 'process')} and ${plural(look.objects.length, 'object')}, families are drawn as one.`) : null;
  const { root, width, height } = columns(left, all, arcs, order);
  const { bar, frame } = framed(root, { width, height, name: 'The system: processes on the left, objects on the right', key: 'system' });
  return el('div', {}, bar, note, frame, el('p', { class: 'note' },
    'Left: processes and where they are (with a dot: can move). Right: objects and what they hold. Solid line: changes it; dashed line: only looks at it.'), table(look, state));
}

function crossings(arcs, order) {
  const place = [];
  order.forEach((item, i) => { place[item] = i; });
  let count = 0;
  arcs.forEach((a, i) => arcs.slice(i + 1).forEach((b) => { if ((a.from - b.from) * (place[a.to] - place[b.to]) < 0) count++; }));
  return count;
}

// Objects near the processes that touch them.
function sortedByNeighbours(left, right, arcs) {
  const sums = Array.from({ length: right }, () => [0, 0]);
  arcs.forEach((a) => { sums[a.to][0] += a.from; sums[a.to][1]++; });
  const key = (i) => (sums[i][1] ? sums[i][0] / sums[i][1] : left);
  const declared = [...Array(right).keys()];
  const near = [...declared].sort((a, b) => key(a) - key(b) || a - b);
  // The order of the author is kept unless lines would cross much more often.
  return arcs.length > 400 || crossings(arcs, declared) > 3 * crossings(arcs, near) ? near : declared;
}

function columns(left, right, arcs, order) {
  const wide = (items) => Math.max(90, ...items.map((n) => Math.max(...n.lines.map((l) => widthOf(shortened(l, 36)))) + 34));
  const [lw, rw, gap, pitch, margin] = [wide(left), wide(right), 190, 48, 12];
  const rows = Math.max(left.length, right.length, 1);
  const y = (i, count) => margin + 20 + ((i + 0.5) * rows * pitch) / count - pitch / 2;
  const place = [];
  order.forEach((item, i) => { place[item] = y(i, right.length); });
  const [width, height] = [margin * 2 + lw + (right.length ? gap + rw : 0), margin * 2 + rows * pitch];
  const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'The system' });
  for (const a of arcs) {
    const [x0, y0, x1, y1] = [margin + lw, y(a.from, left.length), margin + lw + gap, place[a.to]];
    root.append(svg('path', { class: `edge ${a.writes ? 'writes' : 'reads'}`, d: `M${x0} ${y0}C${x0 + gap / 2} ${y0} ${x1 - gap / 2} ${y1} ${x1} ${y1}` }));
  }
  const box = (node, x, at, w) => {
    const group = svg('g', { class: `box ${node.class}` }, svg('title', {}, [...node.lines, node.title ?? ''].join('\n')),
      svg('rect', { x, y: at - 19, width: w, height: 38, rx: node.class === 'object' ? 12 : 4 }));
    node.lines.forEach((line, k) => group.append(svg('text', { class: k ? 'small' : undefined, x: x + w / 2, y: at - 3 + k * 15, 'text-anchor': 'middle' }, shortened(line, 36))));
    if (node.moves) group.append(svg('circle', { cx: x + 9, cy: at - 10, r: 4, class: 'dot', fill: 'var(--link)' }));
    root.append(group);
  };
  left.forEach((n, i) => box(n, margin, y(i, left.length), lw));
  right.forEach((n, i) => box(n, margin + lw + gap, place[i], rw));
  return { root, width, height };
}

// The same as words, for those who read tables.
const SHOWN = 300;
function table(look, state) {
  const row = (name, value) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value));
  const rows = [
    ...look.processes.slice(0, SHOWN).map((p, i) => row(p.name, `at ${p.locations[state.at[i]]?.name ?? '?'}`)),
    ...look.objects.slice(0, SHOWN).map((o, i) => row(o.name, state.values[i])),
  ];
  const more = look.processes.length > SHOWN || look.objects.length > SHOWN ? el('p', { class: 'note' }, `The first ${SHOWN} of each are listed.`) : null;
  return el('details', {}, el('summary', {}, 'The state as a table'), el('table', { id: 'state-table' }, ...rows), more);
}
