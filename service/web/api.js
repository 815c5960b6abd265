// The door to /v1. Every failure is a Problem with words for people; the key goes into a header and nowhere else.
export class Problem extends Error {
  constructor({ status = 0, title, detail, remedy }) {
    super(detail || title);
    Object.assign(this, { status, title, remedy });
  }
}

const UNREACHABLE = { title: 'The service does not answer', detail: 'It may be restarting, or the network is away.', remedy: 'What was charged stays charged, and asking again is free.' };

export const SHARED = 'shared';  // in place of an epsilon: from the artefact that serves everybody
const NEWEST = 300;              // entries of a ledger that are looked at: each has its Rényi curve, some 9 KB

// A node's id may be an integer that JavaScript would round: it stays a text then, which names the same node.
const exact = (key, value, context) => (Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source ? context.source : value);
const parse = (text) => (text ? JSON.parse(text, exact) : null);

function problemOf(response, text) {
  let said = {};
  try { said = parse(text) ?? {}; } catch { /* not one of ours */ }
  const wait = response.headers.get('Retry-After');
  return new Problem({ title: `The service said ${response.status}`, ...said, ...(wait && { remedy: `Try again in ${wait} s.` }), status: response.status });
}

// `body` is a text of JSON. Returns a text.
async function call(key, path, { body, method = body ? 'POST' : 'GET', signal } = {}) {
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
  let response, text;
  try {
    response = await fetch(`v1/${path}`, { method, headers, body, signal, cache: 'no-store', credentials: 'omit' });
    text = await response.text();
  } catch (error) {
    throw error.name === 'AbortError' ? error : new Problem(UNREACHABLE);
  }
  if (response.ok) return text;
  throw problemOf(response, text);
}

// `refused` is told when the key no longer opens anything.
export function connect(key, refused) {
  const text = (...request) => call(key, ...request).catch((error) => { if (error.status === 401) refused(error); throw error; });
  const ask = (...request) => text(...request).then(parse);
  const of = (graph, rest) => `graphs/${encodeURIComponent(graph)}/${rest}`;
  const wish = ({ seed, epsilon }) => JSON.stringify({ seed: String(seed), ...(epsilon === SHARED ? { shared: true } : { epsilon: Number(epsilon) }) });
  return {
    session: () => ask('graphs'),
    nodes: async (graph, prefix, signal) => (await ask(of(graph, `nodes?prefix=${encodeURIComponent(prefix)}`), { signal })).nodes,
    cost: async (question, signal) => {
      const quote = await ask(of(question.graph, 'cost'), { body: wish(question), signal });
      return { ...quote, free: quote.fits && quote.cost === 0 };
    },
    rank: async (question) => {
      const answer = await text(of(question.graph, 'rank'), { body: wish(question) });
      const { rankings: [ranking], certificate } = parse(answer);
      return { question, text: answer, ranking, certificate };
    },
    ledger: async (graph, signal) => {
      const [state, lines] = await Promise.all([ask(of(graph, 'ledger'), { signal }), text(of(graph, `ledger/entries?limit=${NEWEST}`), { signal })]);
      return { ...state, entries: lines.trim().split('\n').filter(Boolean).map(parse) };
    },
    verify: (answer) => ask('certificates/verify', { body: answer }),
    keys: async (signal) => (await ask('keys', { signal })).keys,
    newKey: (wanted) => ask('keys', { body: JSON.stringify(wanted) }),
    revokeKey: (id) => ask(`keys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    theorems: async (signal) => {
      const response = await fetch('theorems.json', { signal });
      if (!response.ok) throw new Problem(UNREACHABLE);
      return response.json();
    },
  };
}
