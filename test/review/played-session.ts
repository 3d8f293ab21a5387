/** A session of the scripted agent in a repository, kept with its files; each turn begins when what was there before it is kept. */
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { findTurns, keepFiles } from '../../src/checkpoint/index.js';
import { run } from '../../src/run/index.js';
import { keepRun, openStore, type SessionRecord, type Store } from '../../src/store/index.js';
import { init, result, SESSION, type Step, text } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';

/** `between`: done by somebody else when the turn before is over. */
export type PlayedTurn = Step[] | { between(): void };

export interface PlayedSession {
  store: Store;
  session: SessionRecord;
}

export async function emptyStore(): Promise<Store> {
  const store = await openStore(path.join(temporaryDirectory(), 'store.db'));
  onTestFinished(() => store.close());
  return store;
}

export async function playSession(
  root: string,
  turns: readonly PlayedTurn[],
  store?: Store,
  sessionId = SESSION,
): Promise<PlayedSession> {
  const own = store ?? (await emptyStore());
  const script: Step[] = [init({ cwd: root })];
  const steps = turns.filter((turn) => Array.isArray(turn));
  for (const [index, turn] of steps.entries())
    script.push(text(`ready ${index + 1}`, `ready${index}`), { hear: `go on ${index + 1}` }, ...turn, result('done'));
  const handle = run(
    scripted(asSession([...script, { hearEnd: true }], sessionId), {
      cwd: root,
      permission: 'bypass',
      prompt: 'begin',
      followUp: true,
    }),
  );
  const files = keepFiles(handle);
  const { done } = keepRun(handle, { store: Promise.resolve(own), onEvent: files.see });
  const runId = handle.runId;
  const kept = async (turn: number, moment: 'before' | 'after') =>
    vi.waitFor(async () => {
      const found = (await findTurns([{ runId, turns: 0 }]))[turn - 1];
      if (found?.[moment]?.commit === undefined) throw new Error(`turn ${turn} is not kept ${moment}`);
    }, 60_000);
  const before = turns.reduce<(() => void)[][]>(
    (all, turn) => {
      if (Array.isArray(turn)) all.push([]);
      else all.at(-1)?.push(turn.between);
      return all;
    },
    [[]],
  );
  let turn = 0;
  for await (const event of handle.events) {
    if (event.type === 'text-end' && event.text.startsWith('ready')) {
      // The next turn begins with the words that it waits for; what is done before them is done between.
      await kept(turn + 1, 'before');
      turn += 1;
      handle.say(`go on ${turn}`);
    }
    if (event.type !== 'turn-end') continue;
    await kept(turn, 'after');
    for (const act of before[turn] ?? []) act();
    if (turn === steps.length) handle.cancel();
  }
  await Promise.all([done, files.done]);
  const session = await own.session(runId);
  if (!session) throw new Error('it was not kept');
  return { store: own, session };
}

const asSession = (script: Step[], id: string): Step[] => JSON.parse(JSON.stringify(script).replaceAll(SESSION, id));
