/** Somebody who hears hooks, with a real store, a real socket, and a run that follows the session. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { claude } from '../../src/agent/claude/index.js';
import type { HookCall } from '../../src/agent/hooks.js';
import { createPipeline } from '../../src/decode/index.js';
import type { AgentEvent, Answer, Draft, Reception } from '../../src/event/index.js';
import { type HookHearing, hearHooks } from '../../src/hook/hear-hooks.js';
import { openStore } from '../../src/store.js';

type Payload = Record<string, unknown>;

export function payload(name: string, changes: Payload = {}): Payload {
  const file = path.join(import.meta.dirname, 'payload', `claude-${name}.json`);
  const read = JSON.parse(readFileSync(file, 'utf8')) as Payload;
  return { ...read, session_id: 's1', cwd: tmpdir(), ...changes };
}

export async function startHearing(options: Partial<HookHearing> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gb-hear-'));
  const socket = path.join(folder, 'h', 'hook.sock');
  const store = await openStore(':memory:');
  const runId = 'claude-transcript-s1';
  const pipeline = createPipeline({ agent: claude, runId });
  const events: AgentEvent[] = [];
  const news: HookCall[] = [];
  const waiting = new Set<() => void>();
  const put = async (drafts: readonly Draft[]) => {
    const more = drafts.flatMap((draft) => pipeline.emit({ ...draft }));
    await store.append(more);
    events.push(...more);
    for (const look of waiting) look();
    return more;
  };
  await store.startRun({ runId, agent: 'claude', startedAt: 1 });
  await put([{ type: 'session-start', sessionId: 's1', turn: 0 } as Draft, { type: 'turn-start', turn: 1 } as Draft]);
  const hearing = await hearHooks({
    agents: [claude],
    store,
    socket,
    home: folder,
    emit: async (_, sessionId, drafts) => (sessionId === 's1' ? put(drafts) : []),
    nudge() {},
    isAttended: () => true,
    rulesFor: async () => [],
    onNews: (_, call) => {
      news.push(call);
      for (const look of waiting) look();
    },
    ...options,
  });
  const until = <Found>(find: () => Found | undefined) =>
    new Promise<Found>((resolve) => {
      const look = () => {
        const found = find();
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
    });
  const seen = <Type extends AgentEvent['type']>(type: Type) =>
    until(() => events.find((event): event is Extract<AgentEvent, { type: Type }> => event.type === type));
  onTestFinished(async () => {
    await hearing?.close();
    await store.close();
  });
  return {
    socket,
    store,
    runId,
    events,
    news,
    hearing,
    seen,
    until,
    hook: (told: Payload | string) => hook(socket, typeof told === 'string' ? told : JSON.stringify(told)),
    answer: (id: string, answer: Answer, inside?: string): Promise<Reception> =>
      store.tell(
        runId,
        { type: 'answer', approval: id, answer },
        {
          by: 'person',
          who: 'ada',
          via: 'page',
          ...(inside !== undefined && { inside }),
        },
      ),
  };
}

/** As the program of a hook does: tells, keeps its side open, and reads until the end. */
function hook(socket: string, text: string) {
  const connection = connect(socket, () => connection.write(text));
  let said = '';
  connection.setEncoding('utf8').on('data', (more: string) => {
    said += more;
  });
  connection.on('error', () => {});
  const answer = new Promise<unknown>((resolve) =>
    connection.once('close', () => resolve(said.trim() === '' ? undefined : JSON.parse(said))),
  );
  return { answer, leave: () => connection.destroy() };
}
