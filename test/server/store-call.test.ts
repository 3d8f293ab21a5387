/**
 * What a glassbox elsewhere may say to the store, place by place: the list beside this file tells what each takes of many odd values, and is read
 * when it changes; `npx vitest run test/server/store-call.test.ts -u` writes it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/server/principal.js';
import { checkBatch, checkCall, isCall } from '../../src/server/store-call.js';
import { startServing } from './serve.js';

const holder = { id: 'h', host: 'here', pid: 1 };
const start = { runId: 'r', agent: 'a', startedAt: 1 };
const whole = { cwd: '/', model: 'm', resumes: 's', project: 'p', principal: 'ann', terms: {} };
const post = { runId: 'r', id: 'i', instruction: { type: 'say', approval: 'q', text: 'go' }, from: {} };

/** Every call: which scopes let somebody make it, and everything that it can be given. */
const calls: Record<string, { scopes: Scope[]; args: unknown[] }> = {
  startRun: { scopes: ['work'], args: [{ ...start, ...whole }, 1, holder] },
  append: { scopes: ['work'], args: [[{ runId: 'r', bodies: [], epoch: 1, by: holder, onlyFigures: true }]] },
  endRun: { scopes: ['work'], args: ['r', 'x', 1, holder] },
  take: { scopes: ['work'], args: ['r', 1, holder] },
  acknowledge: { scopes: ['work'], args: ['r', 'i', { outcome: 'done' }, 1, holder] },
  beatFor: { scopes: ['work'], args: [[{ runId: 'r', epoch: 1 }]] },
  page: { scopes: ['view'], args: ['r', 1] },
  session: { scopes: ['view'], args: ['s'] },
  sessions: { scopes: ['view'], args: [[1]] },
  list: { scopes: ['view'], args: [{}] },
  search: { scopes: ['view'], args: [{ text: 'x' }] },
  totals: { scopes: ['view'], args: [{ by: 'day' }] },
  limits: { scopes: ['view'], args: [] },
  drift: { scopes: ['view'], args: [{}] },
  approvals: { scopes: ['view'], args: ['r'] },
  decisions: { scopes: ['view'], args: [{}] },
  post: { scopes: ['run'], args: [post] },
  receptionOf: { scopes: ['approve', 'run', 'operate'], args: ['i'] },
  withdraw: { scopes: ['approve', 'run', 'operate'], args: ['i'] },
  label: { scopes: ['operate'], args: ['s', {}] },
  delete: { scopes: ['operate'], args: ['s'] },
  planPrune: { scopes: ['administer'], args: [{}] },
  removeOld: { scopes: ['administer'], args: [0] },
  compact: { scopes: ['administer'], args: [] },
  size: { scopes: ['administer'], args: [] },
  keepRuns: { scopes: ['administer'], args: [[{ start, bodies: [] }]] },
  sources: { scopes: ['administer'], args: [] },
};

const batch = { runId: 'r', epoch: 1 };
const event = { type: 't', seq: 2, fromSeq: 1, at: 1, runId: 'r', agent: 'a' };

const text = (length: number): string => 'x'.repeat(length);
const odd: Record<string, unknown> = {
  nothing: undefined,
  true: true,
  '-8.7e15': -8.7e15,
  '-8.64e15': -8.64e15,
  '-1': -1,
  '0': 0,
  '0.5': 0.5,
  '1': 1,
  '2^31-1': 2 ** 31 - 1,
  '2^31': 2 ** 31,
  '8.64e15': 8.64e15,
  '8.7e15': 8.7e15,
  'a NUL': 'a\0b',
  ...Object.fromEntries(
    [0, 1, 64, 65, 128, 129, 512, 513, 1024, 1025].map((length) => [`${length} letters`, text(length)]),
  ),
  '[]': [],
  '[1]': [1],
  '{}': {},
};

/** One line for each place: what may stand there. */
function placesOf(value: unknown, isTaken: (changed: unknown) => boolean): string[] {
  const at = (place: readonly (string | number)[], inside: unknown): string[] => {
    const taken = Object.entries(odd).filter(([, one]) => isTaken(changed(value, place, one)));
    const line = `  ${place.join('.')}: ${taken.map(([name]) => name).join(', ')}`;
    const below = typeof inside === 'object' && inside !== null ? Object.entries(inside) : [];
    return [...(place.length > 0 ? [line] : []), ...below.flatMap(([key, one]) => at([...place, key], one))];
  };
  return at([], value);
}

function changed(value: unknown, [first, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (first === undefined) return to;
  const inside = (value as Record<string, unknown>)[first];
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[first] = changed(inside, rest, to);
  return copy;
}

const isHeard = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

test('what stands where in each call and each event', async () => {
  const lines = Object.entries(calls).flatMap(([method, { args }]) => {
    if (!isCall(method)) throw new Error(method);
    const takes = (given: unknown) => isHeard(() => checkCall(method, { args: given }));
    expect([args, [...args, 'more'], {}, undefined].map(takes), method).toEqual([true, false, false, false]);
    return [method, ...placesOf(args, takes)];
  });
  const takesEvent = (one: unknown) => isHeard(() => checkBatch({ ...batch, bodies: [JSON.stringify(one)] }));
  await expect(`${[...lines, 'an event', ...placesOf(event, takesEvent)].join('\n')}\n`).toMatchFileSnapshot(
    'store-call.txt',
  );
});

test.each<[what: string, check: () => unknown, message: string]>([
  ['no list', () => checkCall('page', { args: 'r' }), 'args: a list is needed.'],
  ['nothing', () => checkCall('page', null), 'args: a list is needed.'],
  ['a place', () => checkCall('search', { args: [{ text: 'a\0' }] }), 'args.0.text: expected text without U+0000'],
  [
    'an event',
    () => checkBatch({ ...batch, bodies: [JSON.stringify({ ...event, agent: 'a\0' })] }),
    'An event of the run "r" makes no sense: agent: expected text without U+0000',
  ],
  [
    'an event of another',
    () => checkBatch({ ...batch, runId: 'r2', bodies: [JSON.stringify(event)] }),
    'An event of another run came with those of "r2".',
  ],
])('what is wrong is named: %s', (_, check, message) => {
  expect(check).toThrow(expect.objectContaining({ code: 'invalid-request', message }));
});

test('what is not given comes as null', () => {
  expect(checkCall('endRun', { args: ['r', null, 1] })).toEqual(['r', undefined, 1]);
  expect(['toString', 'nothing'].filter(isCall)).toEqual([]);
});

describe('one hub for all calls', () => {
  const tokens = SCOPES.map((scope) => ({ name: `with ${scope}`, token: scope, scopes: [scope] }));
  let served: Awaited<ReturnType<typeof startServing>>;
  beforeAll(async () => {
    served = await startServing([], { tokens });
  });
  afterAll(() => served.close());

  test.each(Object.entries(calls))('%s: only with one of its scopes', async (method, { scopes, args }) => {
    const answers = await Promise.all(
      SCOPES.map(async (token) => {
        const headers = { 'content-type': 'application/json' };
        const asked = { method: 'POST', token, headers, body: JSON.stringify({ args }) };
        const response = await served.send(`/api/store/${method}`, asked);
        return { token, said: await response.text(), status: response.status };
      }),
    );
    const refused = answers.filter(({ said }) => said.includes('it needs the scope'));
    expect(refused.map(({ token }) => token)).toEqual(SCOPES.filter((scope) => !scopes.includes(scope)));
    for (const { token, said, status } of refused) {
      const words = `with ${token} may not do this: it needs the scope ${scopes.join(' or ')}.`;
      expect([status, JSON.parse(said)]).toEqual([403, { error: { code: 'forbidden', message: words } }]);
    }
    for (const { status } of answers) expect([401, 500]).not.toContain(status);
  });

  test.each([
    ['answer', 'approve'],
    ['say', 'run'],
    ['interrupt', 'operate'],
    ['stop', 'operate'],
    ['something else', 'administer'],
  ])('to tell a run to %s the scope is %s', async (type, scope) => {
    const body = JSON.stringify({ args: [{ ...post, instruction: { type } }] });
    const statuses = SCOPES.map(async (token) => {
      const headers = { 'content-type': 'application/json' };
      const response = await served.send('/api/store/post', { method: 'POST', token, headers, body });
      return (await response.text()).includes('it needs the scope') ? [] : [token];
    });
    expect((await Promise.all(statuses)).flat()).toEqual([scope]);
  });
});
