// Elements. Text of models only ever becomes text nodes: there is no way here to make markup of a string.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);

export function show(node, ...children) {
  node.replaceChildren(...children.flat().filter((c) => c !== undefined && c !== null && c !== false));
}

// What is drawn anew loses the focus: it is given to what has the same key now, to the item at the same place of a list, or to what
// is around it.
export function keepingFocus(draw) {
  const had = document.activeElement;
  const item = had?.closest('li');
  const [list, place] = item?.parentElement.id ? [item.parentElement, [...item.parentElement.children].indexOf(item)] : [null, 0];
  const around = [];
  for (let e = had; e && e !== document.body; e = e.parentElement) if (e.id || e.dataset.key) around.push(e.id ? `#${e.id}` : `[data-key="${CSS.escape(e.dataset.key)}"]`);
  draw();
  if (!around.length || (document.activeElement === had && !had.disabled)) return;
  const own = had.dataset.key ? around.shift() : null;
  const near = list && (list.children[Math.min(place, list.children.length - 1)]?.querySelector('button') ?? list.querySelector('button'));
  const candidates = [own && document.querySelector(own), near, ...around.map((s) => document.querySelector(s)), had.closest('.controls')?.querySelector('button:enabled'), byId('happen')];
  candidates.find((e) => { e?.focus({ preventScroll: true }); return e && document.activeElement === e; });
}

// How wide a text is drawn.
const pen = document.createElement('canvas').getContext('2d');
const known = new Map();
export function widthOf(text, font = '12px system-ui, sans-serif') {
  const key = font + text;
  if (!known.has(key)) {
    if (known.size > 20000) known.clear();
    pen.font = font;
    known.set(key, pen.measureText(text).width);
  }
  return known.get(key);
}

// Beginning and end, which is where indices are.
export function shortened(text, most = 40) {
  if (text.length <= most) return text;
  return `${text.slice(0, most / 2)}…${text.slice(text.length + 1 - most / 2)}`;
}

// A drawing that the program made, as a picture of its own: its styles and names stay within.
export function picture(source, alt) {
  const url = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }));
  const image = el('img', { src: url, alt });
  image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  return image;
}

export function download(name, kind, text) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const plural = (count, what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : what.endsWith('ss') ? 'es' : 's'}`;
