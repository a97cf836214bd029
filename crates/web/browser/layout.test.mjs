// Drawings of random graphs: whatever the graph, boxes and labels have room, and edges lead where they should.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const source = readFileSync(new URL('../page/layout.js', import.meta.url), 'utf8');
const { layered } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

// The same numbers in every run.
function random(seed) {
  let state = seed * 2654435761 + 1;
  return (below) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * below); };
}

function graph(seed) {
  const below = random(seed);
  const nodes = Array.from({ length: 1 + below(30) }, () => ({ w: 20 + below(120), h: 20 + below(40) }));
  const labelled = below(2) === 1;
  const edges = Array.from({ length: below(60) }, () => ({ from: below(nodes.length), to: below(nodes.length), w: labelled ? 10 + below(90) : 0, h: labelled ? 15 : 0 }));
  return { nodes, edges, sources: below(2) ? [below(nodes.length)] : undefined };
}

// What is wrong with a drawing.
function flaw({ nodes, edges }, drawing) {
  const boxes = nodes.map((n, i) => ({ at: drawing.nodes[i], w: n.w, h: n.h, what: `node ${i}` }));
  drawing.edges.forEach((e, i) => { if (e.label) boxes.push({ at: e.label, w: edges[i].w, h: edges[i].h, what: `label ${i}` }); });
  for (const [i, a] of boxes.entries()) {
    if (!a.at?.every(Number.isFinite)) return `${a.what} has no place`;
    if (a.at[0] - a.w / 2 < -0.01 || a.at[0] + a.w / 2 > drawing.width + 0.01) return `${a.what} is outside`;
    if (a.at[1] - a.h / 2 < -0.01 || a.at[1] + a.h / 2 > drawing.height + 0.01) return `${a.what} is above or below`;
    for (const b of boxes.slice(i + 1)) {
      if (Math.abs(a.at[0] - b.at[0]) < (a.w + b.w) / 2 - 0.01 && Math.abs(a.at[1] - b.at[1]) < (a.h + b.h) / 2 - 0.01) return `${a.what} and ${b.what} overlap`;
    }
  }
  const lost = edges.findIndex((e, i) => (e.from === e.to) !== Boolean(drawing.edges[i].loop) || (e.from !== e.to && e.w > 0 && !drawing.edges[i].label));
  return lost >= 0 ? `edge ${lost} is lost` : null;
}

test('nothing overlaps and nothing is lost', () => {
  for (let seed = 0; seed < 400; seed++) {
    const g = graph(seed);
    assert.equal(flaw(g, layered(g.nodes, g.edges, { sources: g.sources })), null, `seed ${seed}`);
  }
});

test('a drawing that is wrong is noticed', () => {
  let noticed = 0;
  for (let seed = 0; seed < 40; seed++) {
    const g = graph(seed);
    const drawing = layered(g.nodes, g.edges);
    if (g.nodes.length < 2) continue;
    drawing.nodes[1] = drawing.nodes[0];
    assert.match(flaw(g, drawing), /overlap/);
    noticed++;
  }
  assert.ok(noticed > 20);
});

test('given ranks are kept, and many states are placed at once', () => {
  const below = random(7);
  const ranks = Array.from({ length: 400 }, (_, i) => Math.floor(Math.sqrt(i)));
  const nodes = ranks.map(() => ({ w: 12, h: 12 }));
  const edges = Array.from({ length: 1600 }, () => ({ from: below(400), to: below(400), w: 0, h: 0 }));
  const start = performance.now();
  const drawing = layered(nodes, edges, { ranks });
  assert.ok(performance.now() - start < 3000, 'it takes a moment');
  assert.equal(flaw({ nodes, edges }, drawing), null);
  ranks.forEach((rank, i) => assert.equal(drawing.nodes[i][1] > drawing.nodes[0][1], rank > 0));
});
