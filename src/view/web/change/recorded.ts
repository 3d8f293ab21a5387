/** The edits that the agent told, by file: what is known where no files are kept, and of one sub-agent alone. */

import { editTexts, pathWithin, rowsOfPatch } from '../../../consent/index.js';
import {
  type ChangedFile,
  entryAt,
  type FileChange,
  MAIN_THREAD,
  rowAt,
  type SessionState,
  selectChangedFiles,
  type Tool,
  values,
} from '../../../session/index.js';
import { folderOf } from '../state/folder-of.js';
import { rowsBetween } from '../text/diff-row.js';
import type { Part, ReviewFile } from './review-file.js';

export interface RecordedQuery {
  turn?: number | undefined;
  thread?: number | undefined;
}

/** Turns are counted over all runs of the session. */
export function recordedFiles(state: SessionState, query: RecordedQuery): ReviewFile[] {
  const turnOf = createTurnCount(state);
  return selectChangedFiles(state).flatMap((file): ReviewFile[] => {
    const chosen = file.changes.filter((change) => isWanted(change, state, query, turnOf));
    if (chosen.length === 0) return [];
    const parts = chosen.map((change) => partOf(change, state, turnOf));
    const sum = (kind: string) =>
      parts.reduce((all, { rows }) => all + rows.filter((row) => row.kind === kind).length, 0);
    const project = folderOf(state, chosen[0]?.run ?? 0);
    return [
      {
        path: pathWithin(file.path, project),
        change: CHANGES[file.kind],
        lines: { added: sum('add'), removed: sum('remove') },
        turns: [...new Set(chosen.map(turnOf))],
        remarks: parts.every(({ rows }) => rows.length === 0) ? ['The agent did not tell which lines.'] : [],
        version: `told ${chosen.length} ${chosen.at(-1)?.at}`,
        parts,
        cut: 0,
      },
    ];
  });
}

const CHANGES: Record<ChangedFile['kind'], ReviewFile['change']> = {
  create: 'added',
  edit: 'changed',
  delete: 'deleted',
  move: 'moved',
};

function isWanted(
  change: FileChange,
  state: SessionState,
  { turn, thread }: RecordedQuery,
  turnOf: (change: FileChange) => number,
): boolean {
  if (turn !== undefined && turnOf(change) !== turn) return false;
  return thread === undefined || threadOf(change, state) === thread;
}

const toolOf = ({ tool }: FileChange, state: SessionState): Tool | undefined => rowAt(state.tools, tool);

function threadOf(change: FileChange, state: SessionState): number {
  return toolOf(change, state)?.thread ?? MAIN_THREAD;
}

function partOf(change: FileChange, state: SessionState, turnOf: (change: FileChange) => number): Part {
  const tool = toolOf(change, state);
  const title = `${tool?.title || tool?.name || change.kind}, turn ${turnOf(change)}`;
  return {
    title,
    ...(change.tool !== undefined && { row: `t${change.tool}` }),
    rows: change.diff === undefined ? toldRows(change, tool) : rowsOfPatch(change.diff),
  };
}

/** What the call was to put into the file. */
function toldRows(change: FileChange, tool: Tool | undefined): Part['rows'] {
  const edits = tool ? editTexts(tool).filter(({ path }) => path === change.path) : [];
  return edits.flatMap(({ before = '', after = '', patch }) =>
    patch === undefined ? rowsBetween(before, after) : rowsOfPatch(patch),
  );
}

/** Of a change: its turn, as the session counts them. */
function createTurnCount(state: SessionState): (change: FileChange) => number {
  const numbers = turnNumbers(state);
  return (change) => {
    const { run, turn } = toolOf(change, state) ?? { run: change.run, turn: 0 };
    return numbers.get(`${run} ${Math.max(1, turn)}`) ?? 1;
  };
}

/** A turn of a run → its number in the session. */
function turnNumbers(state: SessionState): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { run, turn } of values(state.turns.rows)) {
    const key = `${run} ${turn}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  }
  return numbers;
}

export interface Chooser {
  thread: number;
  name: string;
}

/** Who edited files, as the agent told it; nobody where only the agent itself did. */
export function editors(state: SessionState): Chooser[] {
  const threads = new Set<number>();
  for (const change of values(state.changes)) threads.add(threadOf(change, state));
  if (![...threads].some((thread) => thread !== MAIN_THREAD)) return [];
  return [...threads]
    .sort((one, other) => one - other)
    .map((thread) => {
      const tool = rowAt(state.tools, entryAt(state.threads, thread)?.tool);
      return { thread, name: thread === MAIN_THREAD ? 'The agent itself' : tool?.summary || tool?.name || 'Sub-agent' };
    });
}

/** What was said to begin each turn, by its number in the session. */
export function turnPrompts(state: SessionState): Map<number, string> {
  const numbers = turnNumbers(state);
  const prompts = new Map<number, string>();
  for (const { role, thread, run, turn, synthetic, blocks } of values(state.messages.rows)) {
    if (role !== 'user' || thread !== MAIN_THREAD || synthetic) continue;
    const number = numbers.get(`${run} ${Math.max(1, turn)}`);
    const [block] = values(blocks);
    if (number !== undefined && block && !prompts.has(number)) prompts.set(number, block.text);
  }
  return prompts;
}
