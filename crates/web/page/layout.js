// Layered drawings of directed graphs (Sugiyama's method): cycles are broken, nodes get ranks, long edges bends, rows an order with
// few crossings, and everything a place near its neighbours. Labels of edges are nodes of their own, so that they never overlap.

// How far each node is from the sources, or from the first node that is not reached from those before.
function distances(count, edges, sources) {
  const out = Array.from({ length: count }, () => []);
  edges.forEach((e) => out[e.from].push(e.to));
  const far = new Int32Array(count).fill(-1);
  const walk = (queue) => {
    queue.forEach((i) => { far[i] = 0; });
    for (let q = 0; q < queue.length; q++) {
      for (const to of out[queue[q]]) if (far[to] < 0) { far[to] = far[queue[q]] + 1; queue.push(to); }
    }
  };
  walk([...sources]);
  for (let i = 0; i < count; i++) if (far[i] < 0) walk([i]);
  return far;
}

// The length of the longest way to each node.
function longestWays(count, arcs) {
  const into = new Int32Array(count);
  const out = Array.from({ length: count }, () => []);
  arcs.forEach((a) => { out[a.from].push(a); into[a.to]++; });
  const rank = new Int32Array(count);
  const queue = [];
  for (let i = 0; i < count; i++) if (!into[i]) queue.push(i);
  for (let q = 0; q < queue.length; q++) {
    for (const a of out[queue[q]]) {
      rank[a.to] = Math.max(rank[a.to], rank[a.from] + a.span);
      if (--into[a.to] === 0) queue.push(a.to);
    }
  }
  return rank;
}

function crossings(rows, place, down) {
  let sum = 0;
  for (const row of rows) {
    const ends = [];
    for (const item of row) for (const n of [...down[item]].sort((a, b) => place[a] - place[b])) ends.push(place[n]);
    // Inversions, by insertion into a sorted list: rows of drawings are short.
    const sorted = [];
    for (const end of ends) {
      let low = 0;
      let high = sorted.length;
      while (low < high) { const mid = (low + high) >> 1; if (sorted[mid] <= end) low = mid + 1; else high = mid; }
      sum += sorted.length - low;
      sorted.splice(low, 0, end);
    }
  }
  return sum;
}

function ordered(rows, up, down, count) {
  const place = new Float64Array(count);
  const number = () => rows.forEach((row) => row.forEach((item, i) => { place[item] = i; }));
  number();
  let best = rows.map((row) => row.slice());
  let least = crossings(rows, place, down);
  const rounds = count > 3000 ? 4 : 14;
  for (let round = 0; round < rounds && least > 0; round++) {
    const downwards = round % 2 === 0;
    const order = rows.keys();
    for (const r of downwards ? order : [...order].reverse()) {
      const near = downwards ? up : down;
      const key = new Map(rows[r].map((item) => {
        const list = near[item];
        return [item, list.length ? list.reduce((s, n) => s + place[n], 0) / list.length : place[item]];
      }));
      rows[r].sort((a, b) => key.get(a) - key.get(b));
      rows[r].forEach((item, i) => { place[item] = i; });
    }
    const now = crossings(rows, place, down);
    if (now < least) { least = now; best = rows.map((row) => row.slice()); }
  }
  return best;
}

// The places nearest to the wished ones that keep the order and the distances (pooling of adjacent violators).
function placed(wishes, weights, distances) {
  const shift = [];
  let sum = 0;
  distances.forEach((d) => { sum += d; shift.push(sum); });
  const blocks = [];
  wishes.forEach((wish, i) => {
    let block = { mean: wish - shift[i], weight: weights[i], count: 1 };
    while (blocks.length && blocks[blocks.length - 1].mean > block.mean) {
      const before = blocks.pop();
      const weight = before.weight + block.weight;
      block = { mean: (before.mean * before.weight + block.mean * block.weight) / weight, weight, count: before.count + block.count };
    }
    blocks.push(block);
  });
  const out = [];
  for (const block of blocks) for (let k = 0; k < block.count; k++) out.push(block.mean + shift[out.length]);
  return out;
}

// nodes: { w, h }, edges: { from, to, w, h } with the size of the label. What comes back: centres of nodes, points of edges, sizes.
export function layered(nodes, edges, { gapX = 22, gapY = 30, ranks, sources = nodes.length ? [0] : [] } = {}) {
  const labelled = edges.some((e) => e.w > 0);
  const step = labelled ? 2 : 1;
  // What does not lead away from the sources is turned: no cycle is left.
  const far = ranks ?? distances(nodes.length, edges, sources);
  const arcs = [];
  edges.forEach((e, i) => {
    if (e.from === e.to) return;
    const turned = far[e.from] > far[e.to] || (far[e.from] === far[e.to] && e.from > e.to);
    arcs.push({ from: turned ? e.to : e.from, to: turned ? e.from : e.to, span: step, edge: i, turned });
  });
  const rank = ranks ? Int32Array.from(ranks, (r) => r * step) : longestWays(nodes.length, arcs);
  const items = nodes.map((n, i) => ({ w: n.w, h: n.h, rank: rank[i] }));
  const up = nodes.map(() => []);
  const down = nodes.map(() => []);
  const link = (a, b) => { down[a].push(b); up[b].push(a); };
  const chains = new Map();
  // With given ranks a drawing is of many states: edges that do not lead to the next row are drawn straight.
  for (const arc of arcs) {
    const span = rank[arc.to] - rank[arc.from];
    const label = edges[arc.edge];
    if (ranks && span !== step) { chains.set(arc.edge, { items: [], turned: arc.turned }); continue; }
    const chain = [];
    let last = arc.from;
    const middle = rank[arc.from] + (span >> 1);
    for (let r = rank[arc.from] + 1; r < rank[arc.to]; r++) {
      const has = labelled && r === middle;
      items.push({ w: has ? label.w : 2, h: has ? label.h : 2, rank: r, bend: true, label: has });
      up.push([]); down.push([]);
      link(last, items.length - 1);
      last = items.length - 1;
      chain.push(last);
    }
    link(last, arc.to);
    chains.set(arc.edge, { items: chain, turned: arc.turned });
  }
  let rows = [];
  items.forEach((item, i) => { (rows[item.rank] ??= []).push(i); });
  rows = Array.from(rows, (row) => row ?? []);
  rows = ordered(rows, up, down, items.length);
  const y = [];
  let top = 0;
  rows.forEach((row, r) => {
    const high = row.reduce((most, i) => Math.max(most, items[i].h), 0);
    y[r] = top + high / 2;
    top += high + (labelled ? gapY / 2 : gapY);
  });
  const x = new Float64Array(items.length);
  rows.forEach((row) => {
    let at = 0;
    row.forEach((i) => { x[i] = at + items[i].w / 2; at += items[i].w + gapX; });
  });
  const rounds = items.length > 3000 ? 4 : 24;
  for (let round = 0; round < rounds; round++) {
    const downwards = round % 2 === 0;
    for (const r of downwards ? rows.keys() : [...rows.keys()].reverse()) {
      const row = rows[r];
      if (!row.length) continue;
      const near = (i) => {
        const list = round < rounds - 2 ? (downwards ? up[i] : down[i]) : [...up[i], ...down[i]];
        return list.length ? list.reduce((s, n) => s + x[n], 0) / list.length : x[i];
      };
      const distances = row.map((i, k) => (k ? (items[row[k - 1]].w + items[i].w) / 2 + (items[i].bend ? gapX / 2 : gapX) : 0));
      placed(row.map(near), row.map((i) => (items[i].bend ? 3 : 1)), distances).forEach((at, k) => { x[row[k]] = at; });
    }
  }
  let left = Infinity;
  let right = -Infinity;
  items.forEach((item, i) => { left = Math.min(left, x[i] - item.w / 2); right = Math.max(right, x[i] + item.w / 2); });
  if (!items.length) { left = 0; right = 0; }
  const centre = (i) => [x[i] - left, y[items[i].rank]];
  return {
    nodes: nodes.map((_, i) => centre(i)),
    edges: edges.map((e, i) => {
      const chain = chains.get(i);
      if (!chain) return { loop: true };
      const inner = chain.items.map((k) => ({ at: centre(k), label: items[k].label, h: items[k].h }));
      if (chain.turned) inner.reverse();
      return { inner, label: inner.find((p) => p.label)?.at };
    }),
    width: right - left,
    height: Math.max(0, top - (labelled ? gapY / 2 : gapY)),
  };
}
