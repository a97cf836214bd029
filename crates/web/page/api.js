// Calls to the server: lines of JSON come back, the last one has the answer. A call that is aborted is ended there, too.

export class Refused extends Error {
  constructor(why) {
    super(why?.message ?? 'the server says nothing');
    this.why = why ?? {};
  }
}

// Without an answer there is nobody who could give one, unless the call was ended here.
const gone = (e) => { throw wasAborted(e) ? e : new Refused({ message: 'the server is gone; start impasse serve again' }); };

export async function call(name, args, { signal, progress } = {}) {
  const response = await fetch(`api/${name}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(args), signal,
  }).catch(gone);
  if (!response.ok) throw new Refused({ message: (await response.text()).trim() });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let last;
  for (;;) {
    const { value, done } = await reader.read().catch(gone);
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.progress !== undefined) progress?.(last.progress);
    }
  }
  if (last?.ok !== undefined) return last.ok;
  throw new Refused(last?.error ?? { message: 'the server ended the connection' });
}

// One call of a kind at a time: a newer one aborts the one before.
const running = new Map();
export async function latest(kind, name, args) {
  running.get(kind)?.abort();
  const own = new AbortController();
  running.set(kind, own);
  try {
    return await call(name, args, { signal: own.signal });
  } finally {
    if (running.get(kind) === own) running.delete(kind);
  }
}

export const wasAborted = (e) => e?.name === 'AbortError';
