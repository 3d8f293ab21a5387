/** Who made a line of a file as it is now, and why: followed back through all that is kept of it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  blame,
  type CallRef,
  type MadeText,
  type Maker,
  NEW,
  NONE_KEPT,
  originsOf,
  type Step,
} from '../attribution/index.js';
import { checkpointDirectory, findWorkTree, take, tryGit } from '../checkpoint/index.js';
import { GlassboxError } from '../event/index.js';
import type { Figure } from '../ledger/index.js';
import { rowAt, type SessionState, type Tool, values } from '../session/index.js';
import type { SessionRecord } from '../store/index.js';
import { fileSteps } from './file-steps.js';
import { type FolderTime, folderTime, type ReadableStore } from './folder-time.js';
import { type LineCommit, lineCommit } from './line-commit.js';
import { reasonsOf } from './words-before.js';

export interface Why {
  /** From the top of the folder. */
  path: string;
  line: number;
  text: string;
  maker: Maker;
  /** Whose line stood there before, where somebody else changed it. */
  earlier?: Maker;
  /** Of the call that made it. */
  call?: CallReasons;
  commit?: LineCommit;
}

export interface CallReasons {
  session: string;
  title: string;
  agent: string;
  prompt?: string;
  said?: string;
  /** What the turn cost; absent is unknown. */
  cost?: Figure;
  /** The turn in whose cost this one's is contained. */
  costWithin?: number;
}

/** `file` as the system really calls it. Throws a `GlassboxError` that says why nothing can be told. */
export async function whyLine(
  store: ReadableStore,
  { file, line }: { file: string; line: number },
  dir: string = checkpointDirectory(),
): Promise<Why> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new GlassboxError('not-found', `${file} could not be read. Name a file as it is called from here.`, {
      cause,
    });
  });
  const workTree = await findWorkTree(path.dirname(file), dir);
  const { top } = workTree;
  const name = path.relative(top, file).split(path.sep).join('/');
  const now = await take(workTree);
  const time = await folderTime(store, top, dir);
  const spans = time.spans({ commit: now.commit, at: Date.now() });
  const steps = (await fileSteps(workTree, time, spans, [name])).get(name);
  if (!steps) throw new GlassboxError('unsupported-capability', `${name} is no text, or too large, or was.`);
  const made = steps.length > 0 ? blame(steps) : blame([], text);
  if (made.text !== text)
    throw notKept(name, (await tryGit(['check-ignore', '-q', name], workTree.theirs)).status === 0);
  const [shown, maker] = [made.lines[line - 1], spans.length > 0 ? made.makers[line - 1] : NONE_KEPT];
  if (shown === undefined || maker === undefined)
    throw new GlassboxError('invalid-request', `${name} has ${made.lines.length} lines; there is no line ${line}.`);
  const earlier = earlierMaker(steps, line - 1);
  const call = maker.by === 'call' ? await callReasons(time, maker.call) : undefined;
  const commit = await lineCommit(workTree, now.head, { path: name, line, lines: made.lines });
  return {
    path: name,
    line,
    text: shown,
    maker,
    ...(earlier && { earlier }),
    ...(call && { call }),
    ...(commit && { commit }),
  };
}

function notKept(name: string, isIgnored: boolean): GlassboxError {
  const why = isIgnored ? 'git ignores it, and what git ignores is not kept' : 'it changes just now, or it is not kept';
  return new GlassboxError('not-found', `Of ${name} nothing can be told: ${why}.`);
}

/** Who made what stood in its place before it was changed the last time. */
function earlierMaker(steps: readonly Step[], at: number): Maker | undefined {
  const states: MadeText[] = steps.map((_, index) => blame(steps.slice(0, index), steps[0]?.before));
  let [place, after] = [at, blame(steps)];
  for (const before of states.reverse()) {
    const origins = originsOf(before.lines, after.lines);
    const [origin = NEW, ...others] = origins[place] ?? [];
    if (others.length > 0) return undefined;
    if (origin === NEW) return replacedAt(before, origins, place);
    [place, after] = [origin, before];
  }
  return undefined;
}

/** The lines between those around it that stayed, if one maker made all of them. */
function replacedAt({ makers }: MadeText, origins: readonly (readonly number[])[], at: number): Maker | undefined {
  const isKept = (origin: readonly number[] | undefined) => origin?.length === 1 && origin[0] !== NEW;
  let [from, to] = [at, at];
  while (from >= 0 && !isKept(origins[from])) from -= 1;
  while (to < origins.length && !isKept(origins[to])) to += 1;
  const [first, last] = [origins[from]?.[0] ?? -1, origins[to]?.[0] ?? makers.length];
  const gone = makers.slice(first + 1, Math.max(first + 1, last));
  const [one] = gone;
  return one && gone.every((maker) => JSON.stringify(maker) === JSON.stringify(one)) ? one : undefined;
}

async function callReasons(time: FolderTime, call: CallRef): Promise<CallReasons | undefined> {
  const session = time.sessionOf(call.runId);
  if (!session) return undefined;
  const state = await time.stateOf(session);
  const tool = toolOf(state, call);
  return {
    ...aboutSession(session),
    ...(tool && reasonsOf(state, tool)),
    ...(tool && costOf(state, tool, (turn) => time.turnOf(call.runId, turn))),
  };
}

const aboutSession = ({ id, title, agent }: SessionRecord) => ({ session: id, title, agent });

function toolOf(state: SessionState, { runId, toolId }: CallRef): Tool | undefined {
  for (const tool of values(state.tools.rows)) {
    if (tool.id === toolId && rowAt(state.runs, tool.run)?.runId === runId) return tool;
  }
  return undefined;
}

function costOf(
  state: SessionState,
  tool: Tool,
  turnOf: (turn: number) => number,
): Pick<CallReasons, 'cost' | 'costWithin'> {
  for (const { run, turn, cost, costWithin } of values(state.turns.rows)) {
    if (run !== tool.run || turn !== tool.turn) continue;
    return { ...(cost && { cost }), ...(costWithin !== undefined && { costWithin: turnOf(costWithin) }) };
  }
  return {};
}
