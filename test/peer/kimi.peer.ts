/** What Kimi prints by itself, as others pipe it into glassbox; `run` talks to it instead. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createDecoder, detectAgent, outputFlags, requireAgent, watchFields } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { kimi } from './agent/kimi.js';
import { sequence } from './model/turn.js';
import { only } from './play.js';
import { createStage, type Stage } from './stage.js';

test('kimi -p is read, and its session can be gone on with', async () => {
  const script = sequence(
    kimi.shell('echo oops; exit 3'),
    { text: 'The word is teapot.' },
    { text: 'It was that word.' },
  );
  await using stage = await createStage(kimi, () => script);
  const { events, code } = await print(stage);
  expect(code).toBe(0);
  expect(only(events, 'unknown')).toEqual([]);
  expect(only(events, 'session-start')).toMatchObject([{ agentVersion: '2.1.0' }]);
  expect(only(events, 'tool-end')).toMatchObject([{ name: 'Bash', status: 'failed', exitCode: 3 }]);
  const [end] = only(events, 'turn-end');
  expect(end).toMatchObject({ outcome: 'success', text: 'The word is teapot.' });
  const resume = end?.sessionId ?? '';
  const again = await stage.start({ permission: 'bypass', resume }).end;
  expect(again).toMatchObject({ reason: 'finished', text: 'It was that word.', sessionId: resume });
  expect(JSON.stringify(stage.model.calls.at(-1))).toContain('teapot');
});

test('kimi -p that fails says so only on stderr: how the turn ended is not known', async () => {
  await using stage = await createStage(kimi, () => () => ({ status: 401, message: 'the key is wrong' }));
  const { events, code } = await print(stage);
  expect(code).not.toBe(0);
  expect(only(events, 'unknown')).toEqual([]);
  expect(only(events, 'turn-end')).toMatchObject([{ outcome: 'unknown' }]);
});

async function print({ program, env, sandbox }: Stage): Promise<{ events: AgentEvent[]; code: number | null }> {
  const child = spawn(program, ['-p', 'please go on', ...outputFlags('kimi')], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const bytes = Buffer.concat(pieces);
  expect(detectAgent(bytes.toString().split('\n').slice(0, 3))).toBe('kimi');
  const decoder = createDecoder(watchFields(requireAgent('kimi')));
  return { events: [...decoder.push(bytes), ...decoder.end()], code };
}
