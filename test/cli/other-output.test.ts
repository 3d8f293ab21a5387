/** What agents' programs print besides the stream that is read: refused, always with what to do instead. */
import { describe, expect, test } from 'vitest';
import { glassbox, temporaryFile } from './glassbox.js';

const server = [
  { id: 'evt_1', type: 'server.connected', properties: {} },
  { id: 'evt_2', type: 'session.idle', properties: { sessionID: 'ses_1' } },
].map((event) => JSON.stringify(event));
const whole = { session_id: 's', response: 'Hello.', stats: { models: {} } };

describe.each([
  ['the events of opencode serve', 'opencode', `${server.join('\n')}\n`, 'Use `opencode run --format json`'],
  ['the same as the server sends them', 'opencode', `data: ${server.join('\n\ndata: ')}\n\n`, 'Use `opencode run'],
  ['JSON of Gemini CLI', 'gemini', `${JSON.stringify(whole, undefined, 2)}\n`, 'Use --output-format stream-json.'],
  ['the same in one line', 'gemini', `${JSON.stringify(whole)}\n`, 'Use --output-format stream-json.'],
])('%s', (_, agent, text, advice) => {
  test('is passed through with an advice', async () => {
    const { stdout, stderr, status } = await glassbox([], text);
    expect({ stdout, status }).toEqual({ stdout: text, status: 0 });
    expect(stderr).toContain(advice);
  });

  test.each([[['--json']], [['--agent', agent]]])('is refused with it where events are wanted: %j', async (flags) => {
    const { stderr, status } = await glassbox(flags, text);
    expect(stderr).toContain(advice);
    expect(status).toBe(3);
  });

  test.each([[[]], [['--agent', agent]]])('is refused with it as a file: %j', async (flags) => {
    const file = temporaryFile('output.jsonl', text);
    for (const command of ['show', 'replay']) {
      const { stdout, stderr, status } = await glassbox([command, file, ...flags]);
      expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
      expect(stderr).toContain(advice);
    }
  });
});

test('a stream under the name of another agent is not shown as nothing', async () => {
  const { stdout, stderr, status } = await glassbox(
    ['--agent', 'claude'],
    '{"type":"thread.started","thread_id":"t"}\n',
  );
  expect({ stdout, status }).toEqual({ stdout: '', status: 3 });
  expect(stderr).toBe(
    'glassbox: nothing of this is a stream of claude that I know. Leave --agent out to have it recognised.\n',
  );
});
