/** Every real agent through the same scenarios; the run ends with the table of what passed. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { CapabilityName } from '../../src/agent/index.js';
import { agentNamed } from '../../src/decode/index.js';
import { PEERS } from './agents.js';
import type { ModelServer } from './model/http.js';
import { type ModelTurn, sequence } from './model/turn.js';
import { NEEDS, type Scenario } from './peer.js';
import { only } from './play.js';
import type { Sandbox } from './sandbox.js';
import { createStage, type ScriptOf, type Stage } from './stage.js';
import { drawTable, nameOf, type Results } from './table.js';

const results: Results = new Map();
const bypass = { permission: 'bypass' } as const;
const say = (text: string): ModelTurn => ({ text });

/** What real programs of these versions print and no recording shows; `glassbox doctor` would tell of it. */
const strange = new Set<string>();

afterAll(() => {
  console.log(drawTable(PEERS, results));
  for (const sentence of strange) console.log(`unknown to glassbox: ${sentence}`);
});

describe.each(PEERS.map((peer) => [nameOf(peer), peer] as const))('%s', (name, peer) => {
  const agent = agentNamed(peer.agent);
  const capabilities = agent?.capabilities;

  function scenario(what: Scenario, script: ScriptOf, play: (stage: Stage) => Promise<void>): void {
    const reason = peer.cannot?.[what];
    if (reason !== undefined) {
      test(`${what}: cannot, ${reason}`, () => {
        const needed = NEEDS[what];
        expect(needed && capabilities?.[needed], 'the capability says so too').toBe(false);
      });
      return;
    }
    test.concurrent(what, async () => {
      results.set(`${name} ${what}`, 'FAILED');
      {
        await using stage = await createStage(peer, script);
        await play(stage).catch((error) => {
          console.error(`${name}, ${what}:\n${stage.story()}`);
          throw error;
        });
        for (const { wireType, wireSubtype = '', field = '' } of stage.unknown())
          strange.add(`${name} ${wireType} ${wireSubtype} ${field}`);
      }
      results.set(`${name} ${what}`, 'ok');
    });
  }

  scenario(
    'text',
    () => sequence(say('Hello from the model on loopback.')),
    async ({ start }) => {
      const { end, events } = start(bypass);
      expect(await end).toMatchObject({ reason: 'finished', text: 'Hello from the model on loopback.' });
      expect(only(events, 'text-end').map((event) => event.text)).toContain('Hello from the model on loopback.');
      expect(only(events, 'user-message')[0]?.text).toContain('please go on');
    },
  );

  scenario(
    'tool',
    () => sequence(peer.shell('echo seen > made.txt; cat made.txt'), say('done')),
    async ({ start, sandbox }) => {
      const { end, events } = start(bypass);
      expect(await end).toMatchObject({ reason: 'finished', text: 'done' });
      expect(existsSync(sandbox.file('made.txt'))).toBe(true);
      const [toolEnd] = only(events, 'tool-end');
      expect(toolEnd).toMatchObject({ status: 'ok' });
      expect(toolEnd?.output).toContain('seen');
      expect(only(events, 'tool-start')[0]).toMatchObject({ kind: 'execute' });
    },
  );

  scenario(
    'failing tool',
    () => sequence(peer.shell('echo oops; exit 3'), say('it failed')),
    async ({ start }) => {
      const { end, events } = start(bypass);
      expect(await end).toMatchObject({ reason: 'finished', text: 'it failed' });
      expect(only(events, 'tool-end')[0]).toMatchObject({ status: peer.failingShell });
    },
  );

  scenario(
    'edit',
    ({ file }) => sequence(peer.write(file('note.txt'), 'one\ntwo\n'), say('written')),
    async ({ start, sandbox }) => {
      const { end, events } = start(bypass);
      expect(await end).toMatchObject({ reason: 'finished', text: 'written' });
      expect(readFileSync(sandbox.file('note.txt'), 'utf8')).toBe('one\ntwo\n');
      expect(only(events, 'file-change')[0]?.path).toContain('note.txt');
    },
  );

  scenario(
    'API error',
    () => () => ({ status: 401, message: 'the key is wrong' }),
    async ({ start }) => {
      const completion = await start(bypass).end;
      expect(completion.reason).toBe('failed');
      expect(completion.error?.message).toBeTruthy();
    },
  );

  const untilItSleeps = (file: string) => expect.poll(() => existsSync(file), { timeout: 200_000 }).toBe(true);
  const sleeping: ScriptOf = ({ file }) => sequence(peer.shell(`touch ${file('started')}; sleep 300`), say('never'));

  scenario('interrupt', sleeping, async ({ start, sandbox }) => {
    const { handle, until, end } = start({ ...bypass, keepOpen: capabilities?.followUp !== false });
    await untilItSleeps(sandbox.file('started'));
    expect(handle.interrupt()).toBe(true);
    expect(await until('turn-end')).toMatchObject({ outcome: 'interrupted' });
    handle.cancel();
    expect((await end).reason).toBe('cancelled');
  });

  scenario('cancel', sleeping, async ({ start, sandbox }) => {
    const { handle, end } = start(bypass);
    await untilItSleeps(sandbox.file('started'));
    handle.cancel();
    expect((await end).reason).toBe('cancelled');
  });

  scenario(
    'follow-up',
    () => sequence(say('The word is teapot.'), say('It was that word.')),
    async ({ start, model }) => {
      const { handle, until, end } = start({ ...bypass, keepOpen: true });
      await until('turn-end');
      handle.say('which word?');
      await until('turn-end', ({ turn }) => turn === 2);
      handle.close();
      expect(await end).toMatchObject({ reason: 'finished', text: 'It was that word.', turns: 2 });
      expect(lastCall(model), 'the model sees the earlier answer').toContain('teapot');
    },
  );

  scenario(
    'resume',
    () => sequence(say('The word is teapot.'), say('It was that word.')),
    async ({ start, model }) => {
      const first = await start(bypass).end;
      expect(first).toMatchObject({ reason: 'finished', text: 'The word is teapot.' });
      const resume = first.sessionId ?? '';
      expect(await start({ ...bypass, resume }).end).toMatchObject({ reason: 'finished', text: 'It was that word.' });
      expect(lastCall(model), 'the model sees the earlier answer').toContain('teapot');
      if (!capabilities?.fork) return;
      const copy = await start({ ...bypass, resume, fork: true }).end;
      expect(copy).toMatchObject({ reason: 'finished', text: 'It was that word.' });
      expect(lastCall(model), 'the model sees the answer before the fork').toContain('teapot');
      expect(copy.sessionId).not.toBe(resume);
    },
  );

  scenario(
    'options',
    () => sequence(say('understood')),
    async ({ start, sandbox }) => {
      const base = { mode: 'one-shot', permission: 'deny', cwd: sandbox.cwd, deltas: true } as const;
      const taken = Object.entries(optionsFor(sandbox)).filter(
        ([option, { needs, value }]) => capabilities?.[needs] && !agent?.cannot?.({ ...base, [option]: value }),
      );
      const options = Object.fromEntries(taken.map(([option, { value }]) => [option, value]));
      const effort = agent?.efforts?.includes('high') ? { effort: 'high' } : {};
      expect(await start({ permission: 'deny', ...effort, ...options }).end).toMatchObject({
        reason: 'finished',
        text: 'understood',
        ...(capabilities?.sessionId && { sessionId: SESSION }),
      });
    },
  );

  scenario(
    'approval',
    () => sequence(peer.shell('touch asked.txt'), say('allowed')),
    async ({ start, sandbox }) => {
      const { end, events } = start({ permission: 'ask' }, (event, handle) => {
        if (event.type === 'approval-request') handle.approve(event.id);
      });
      expect(await end).toMatchObject({ reason: 'finished', text: 'allowed' });
      expect(only(events, 'approval-resolve')[0]).toMatchObject({ decision: 'allow', by: 'person' });
      expect(existsSync(sandbox.file('asked.txt'))).toBe(true);
    },
  );

  scenario(
    'deny',
    ({ file }) => sequence(peer.shell(`touch ${file('shell.txt')}`), peer.write(file('edit.txt'), 'x'), say('refused')),
    async ({ start, sandbox }) => {
      expect(await start({ permission: 'deny' }).end).toMatchObject({ reason: 'finished' });
      expect([existsSync(sandbox.file('shell.txt')), existsSync(sandbox.file('edit.txt'))]).toEqual([false, false]);
    },
  );
});

const lastCall = ({ calls }: ModelServer): string => JSON.stringify(calls.at(-1));

const SESSION = '11111111-2222-4333-8444-555555555555';

/** Every option, so that a flag which the real program refuses is seen. */
function optionsFor({ env }: Sandbox): Record<string, { needs: CapabilityName; value: unknown }> {
  return {
    // Not the home directory, which some refuse.
    addDirs: { needs: 'addDirs', value: [env.TMPDIR] },
    systemPrompt: { needs: 'systemPrompt', value: 'Be short.' },
    maxTurns: { needs: 'maxTurns', value: 9 },
    sessionId: { needs: 'sessionId', value: SESSION },
    disallowedTools: { needs: 'allowedTools', value: ['WebSearch'] },
    mcpConfig: { needs: 'mcpConfig', value: '{"mcpServers":{}}' },
  };
}
