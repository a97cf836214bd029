// Graphs as drawings: boxes or circles with lines of text, edges with labels, zoom.

import { el, svg, widthOf, shortened, picture } from './dom.js';
import { layered } from './layout.js';

const LINE = 15;
let markers = 0;

const most = (lines, font) => lines.reduce((w, line) => Math.max(w, widthOf(line, font)), 0);

// The size of a node with these lines.
export function sizeOf(lines, shape) {
  const w = most(lines) + 18;
  if (shape === 'circle') return { w: Math.max(26, w - 14), h: 26 + LINE * lines.length };
  if (shape === 'dot') return { w: 12, h: 12 };
  return { w: Math.max(30, w), h: 10 + LINE * Math.max(1, lines.length) };
}

// nodes: { lines, shape, class, title, label, click, key, tokens }, edges: { from, to, lines, class, title, click, key }.
export function drawn(nodes, edges, { name, ranks, gapX, gapY, at, sources } = {}) {
  const sized = nodes.map((n) => ({ ...sizeOf(n.lines ?? [], n.shape), ...n }));
  const labels = edges.map((e) => {
    const lines = (e.lines ?? []).map((l) => shortened(l, 34));
    return lines.length ? { lines, w: most(lines, '600 12px system-ui, sans-serif') + 10, h: LINE * lines.length + 2 } : { lines, w: 0, h: 0 };
  });
  const arcs = edges.map((e, i) => ({ from: e.from, to: e.to, w: e.from === e.to ? 0 : labels[i].w, h: labels[i].h }));
  // What leads from a node to itself stands at its right side.
  const loops = new Map();
  edges.forEach((e, i) => { if (e.from === e.to) loops.set(e.from, [...(loops.get(e.from) ?? []), i]); });
  const room = (i) => (loops.get(i) ?? []).reduce((w, k) => Math.max(w, sized[i].shape === 'dot' ? 6 : labels[k].w + 34), 0);
  const boxes = sized.map((n, i) => {
    const tall = n.shape === 'dot' ? 0 : (loops.get(i) ?? []).reduce((h, k) => h + Math.max(18, labels[k].h), 0);
    return { w: n.w + 2 * room(i), h: Math.max(n.h, tall) };
  });
  const layout = at ?? layered(boxes, arcs, { ranks, gapX, gapY, sources });
  const margin = 14;
  const [width, height] = [layout.width + 2 * margin, layout.height + 2 * margin];
  const id = `tip-${markers++}`;
  const point = ([x, y]) => [x + margin, y + margin];
  const small = nodes[0]?.shape === 'dot';
  const root = svg('svg', { class: small ? 'many' : undefined, width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': name },
    svg('defs', {}, svg('marker', { id, viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: small ? 5 : 9, markerHeight: small ? 5 : 9, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0L8 4L0 8z' }))));
  const tops = [];
  edges.forEach((e, i) => {
    const route = layout.edges[i];
    const [from, to] = [point(layout.nodes[e.from]), point(layout.nodes[e.to])];
    let path;
    let middle;
    if (e.from === e.to) {
      const mine = loops.get(e.from);
      const k = mine.indexOf(i);
      const node = sized[e.from];
      const x = from[0] + node.w / 2;
      const y = from[1] + (node.shape === 'dot' ? 0 : (k - (mine.length - 1) / 2) * 18);
      const out = node.shape === 'dot' ? 8 : 26;
      path = `M${x} ${y - 5}C${x + out} ${y - 14} ${x + out} ${y + 14} ${x} ${y + 5}`;
      middle = [x + 26 + labels[i].w / 2, y];
    } else {
      path = curve(from, to, sized[e.from], sized[e.to], route.inner.map((p) => ({ ...p, at: point(p.at) })));
      middle = route.label && point(route.label);
    }
    const group = svg('g', { class: `edge ${e.class ?? ''}`, 'data-key': e.key, ...(e.click ? act(e.click, e.title) : {}) },
      svg('title', {}, e.title ?? ''), svg('path', { class: 'edge', d: path, 'marker-end': `url(#${id})` }));
    if (middle && labels[i].lines.length) tops.push([group, labels[i], middle]);
    root.append(group);
  });
  for (const [group, { lines, w, h }, [x, y]] of tops) {
    group.append(svg('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, fill: 'var(--paper)', stroke: 'none' }));
    lines.forEach((line, k) => group.append(svg('text', { x, y: y - h / 2 + 12 + k * LINE, 'text-anchor': 'middle' }, line)));
  }
  sized.forEach((node, i) => root.append(drawnNode(node, point(layout.nodes[i]))));
  return { root, layout, width, height };
}

const act = (click, title) => ({
  role: 'button', tabindex: 0, 'aria-label': title, onclick: click,
  onkeydown: (e) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); e.stopPropagation(); click(); } },
});

function drawnNode(node, [x, y]) {
  const { w, h, lines = [], shape } = node;
  const group = svg('g', { class: `node ${shape === 'circle' ? '' : 'box'} ${node.class ?? ''} ${node.click ? 'pick' : ''}`, 'data-key': node.key, ...(node.click ? act(node.click, node.title) : {}) },
    svg('title', {}, node.title ?? lines.join('\n')));
  if (shape === 'circle') {
    const top = y - h / 2 + 13;
    group.append(svg('circle', { cx: x, cy: top, r: 12 }));
    if (node.tokens === 1) group.append(svg('circle', { class: 'token', cx: x, cy: top, r: 4 }));
    else if (node.tokens) group.append(svg('text', { class: 'tokens', x, y: top + 4, 'text-anchor': 'middle' }, node.tokens));
    lines.forEach((line, k) => group.append(svg('text', { x, y: top + 25 + k * LINE, 'text-anchor': 'middle' }, line)));
    return group;
  }
  if (shape === 'dot') {
    group.append(svg('rect', { x: x - 6, y: y - 6, width: 12, height: 12, rx: 6 }));
    return group;
  }
  group.append(svg('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 4 }));
  if (node.ring) group.append(svg('rect', { class: 'ring', x: x - w / 2 - 3, y: y - h / 2 - 3, width: w + 6, height: h + 6, rx: 6, fill: 'none', stroke: 'var(--node-line)' }));
  const top = y - (LINE * lines.length) / 2 + 11.5;
  lines.forEach((line, k) => group.append(svg('text', { class: k ? 'small' : undefined, x, y: top + k * LINE, 'text-anchor': 'middle' }, line)));
  return group;
}

// From the border of a node through the bends to the border of another, upright at rows.
function curve(from, to, source, target, inner) {
  const radius = (n) => (n.shape === 'dot' ? 6 : n.h / 2);
  const below = (inner[0]?.at[1] ?? to[1]) >= from[1];
  const above = (inner[inner.length - 1]?.at[1] ?? from[1]) <= to[1];
  const start = [from[0], from[1] + (below ? 1 : -1) * radius(source)];
  const end = [to[0], to[1] + (above ? -1 : 1) * radius(target)];
  if (!inner.length && Math.abs(from[1] - to[1]) < 1) {
    // In one row: around the top.
    const lift = 20 + Math.abs(from[0] - to[0]) * 0.15;
    return `M${from[0]} ${from[1] - radius(source)}C${from[0]} ${from[1] - lift - 10} ${to[0]} ${to[1] - lift - 10} ${to[0]} ${to[1] - radius(target)}`;
  }
  const points = [start];
  for (const { at: [x, y], h } of inner) points.push([x, y - (below ? h : -h) / 2], [x, y + (below ? h : -h) / 2]);
  points.push(end);
  let path = `M${start[0]} ${start[1]}`;
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const mid = (y0 + y1) / 2;
    path += x0 === x1 ? `L${x1} ${y1}` : `C${x0} ${mid} ${x1} ${mid} ${x1} ${y1}`;
  }
  return path;
}

// A drawing in a frame that can be scrolled, with buttons for its size.
// `whole`: what is to be seen at a glance is fitted by its height as well. `head`: the same drawing again, of which the upper part,
// so high, stays where the rest is scrolled.
export function framed(content, { width, height, name, tools = [], least = 0.55, key, whole: glance = false, head }) {
  const frame = el('div', { class: 'canvas', tabindex: 0, role: 'region', 'aria-label': name, 'data-key': key });
  const top = head && el('div', { class: 'head', 'aria-hidden': 'true' }, head.content);
  frame.append(...[top, content].filter(Boolean));
  let { zoom, chosen } = zooms.get(key) ?? { zoom: 1, chosen: false };
  const apply = () => {
    content.setAttribute('width', width * zoom);
    content.setAttribute('height', height * zoom);
    if (head) {
      head.content.setAttribute('width', width * zoom);
      Object.assign(top.style, { width: `${width * zoom}px`, height: `${head.height * zoom}px`, marginBottom: `${-head.height * zoom}px` });
    }
    if (key) zooms.set(key, { zoom, chosen });
  };
  const choose = (size) => () => { chosen = true; zoom = Math.max(0.15, size()); apply(); };
  const scale = (factor) => choose(() => Math.min(4, zoom * factor));
  const whole = choose(() => Math.min(1.2, (frame.clientWidth - 4) / width));
  const bar = el('div', { class: 'tools' }, ...tools,
    el('span', { class: 'row', role: 'group', 'aria-label': 'Size of the drawing' },
      el('button', { type: 'button', onclick: scale(1 / 1.3), 'aria-label': 'Smaller' }, '−'),
      el('button', { type: 'button', onclick: scale(1.3), 'aria-label': 'Larger' }, '+'),
      el('button', { type: 'button', onclick: whole }, 'fit')));
  // A size that nobody has chosen is fitted anew: what is drawn may have grown.
  if (!chosen) {
    requestAnimationFrame(() => {
      const fits = Math.min(frame.clientWidth / width, glance ? (window.innerHeight * 0.76) / height : Infinity);
      const fitted = Math.min(1, Math.max(least, fits * 0.99));
      if (!chosen && frame.clientWidth && fitted !== zoom) { zoom = fitted; apply(); }
    });
  }
  apply();
  return { bar, frame };
}
// A drawing that the program made, in the same frame.
export function framedPicture(source, { name, alt, key, least, whole, head }) {
  const size = (what) => Number(source.match(new RegExp(`<svg[^>]* ${what}="([0-9.]+)"`))?.[1] ?? 600);
  return framed(picture(source, alt), { width: size('width'), height: size('height'), name, key, least, whole, head: head && { content: picture(source, ''), height: head } });
}

const zooms = new Map();
export const forgetZooms = () => zooms.clear();
