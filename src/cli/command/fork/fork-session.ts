/** `glassbox fork`: a work tree at that moment, and a brief of what is known until then. */
import { readFile } from 'node:fs/promises';
import { checkpointAt, findTurns, type TurnFiles, turnChanges } from '../../../checkpoint/index.js';
import { agentNamed } from '../../../decode/index.js';
import { type AgentEvent, GlassboxError } from '../../../event/index.js';
import { briefOf } from '../../../export/index.js';
import { requireAgent } from '../../../run/index.js';
import { readListed, type SessionRecord, type Store } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { parseTurn } from '../../flag/parse-turn.js';
import { inWorktree } from '../../kept/in-worktree.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { startAgent } from '../run/run-agent.js';
import type { ForkFlags } from './command.js';

export async function forkSession(this: Context, flags: ForkFlags, ...[ref = '', ...words]: string[]): Promise<void> {
  const { process } = this;
  const agent = requireAgent(flags.agent).name;
  const wanted = parseTurn(ref);
  const { session, turn, events, turns } = await withStore(flags, async (store) => {
    const found = await namedSession(store, wanted.id, process.cwd());
    const all = await findTurns(found.runs);
    const last = wanted.turn ?? all.findLast(({ after }) => after?.commit !== undefined)?.turn ?? all.length;
    return { session: found, turn: last, turns: all, events: await eventsUntil(store, found, all, last) };
  });
  const { id, title, cwd = process.cwd() } = session;
  // Before anything is made: that the files of this moment are kept.
  const at = `${id}@${turn}`;
  if (!flags.brief && checkpointAt(turns, { turn }).checkpoint.head === undefined) throw noFolder(at, agent);
  const brief = briefOf(events, {
    agent: agentNamed(session.agent)?.title ?? session.agent,
    title,
    changed: await changedUntil(turns, turn),
    prompt: await promptFrom(words, flags.promptFile),
  });
  if (flags.brief) return print(process.stdout, brief.split('\n'));
  const { agent: _, brief: __, promptFile: ___, ...start } = flags;
  await inWorktree({ ...start, at }, cwd, process, async (folder) => {
    if (!flags.quiet) note(process.stderr, `${agent} takes ${at} over from ${session.agent}; ${id} stays as it is.`);
    await startAgent.call(this, { ...start, cwd: folder }, [agent, brief], { request: {}, settingsFrom: cwd });
  });
}

const noFolder = (at: string, agent: string): GlassboxError =>
  new GlassboxError(
    'invalid-request',
    `The files of ${at} are in no git repository with a commit, so there is no work tree of them. In the same folder, with the files as they are now: glassbox fork ${at} --agent ${agent} --brief | glassbox run ${agent} -`,
  );

/** What was told until the end of a turn, counted over all runs. */
async function eventsUntil(
  store: Store,
  { runs }: SessionRecord,
  turns: readonly TurnFiles[],
  turn: number,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (const { runId } of runs) {
    const before = turns.findIndex((one) => one.runId === runId);
    // Of a run without turns nothing came.
    if (before < 0 || before >= turn) break;
    for await (const event of readListed(store, runId)) if (before + event.turn <= turn) events.push(event);
  }
  return events;
}

/** All files that its turns changed until then, as far as they are kept. */
async function changedUntil(turns: readonly TurnFiles[], turn: number): Promise<string[]> {
  const changed = await Promise.all(turns.slice(0, turn).map((one) => turnChanges(one).catch(() => undefined)));
  return [...new Set(changed.flatMap((files) => files?.map(({ path }) => path) ?? []))].sort();
}

async function promptFrom(words: readonly string[], file: string | undefined): Promise<string | undefined> {
  if (file !== undefined && words.length > 0)
    throw new GlassboxError('invalid-request', 'Give the prompt as words or as a file, not both.');
  const prompt =
    file === undefined
      ? words.join(' ')
      : await readFile(file, 'utf8').catch((cause: unknown) => {
          throw new GlassboxError('read-failed', `The prompt could not be read from ${file}.`, { cause });
        });
  return prompt.trim() === '' ? undefined : prompt;
}
