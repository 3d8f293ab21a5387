/**
 * A checkpoint before and after every turn of a run, made beside it: neither the agent nor a reader of its events waits for one, and a slow
 * disk makes them late, which they say.
 */
import type { AgentEvent, ToolKind } from '../event/index.js';
import type { Checkpoint, RunCheckpoints } from './checkpoint.js';
import { forgetSessions } from './forget.js';
import { refsOf, writeRecord } from './record.js';
import { anchor, BOUNDS, take } from './take.js';
import { findWorkTree, type WorkTree } from './work-tree.js';

export interface TurnCheckpoints {
  /** To be called with each event of the run. */
  see(event: AgentEvent): void;
  /** Resolves when the last one is made, or could not be. Never rejects. */
  done: Promise<RunCheckpoints | undefined>;
}

export interface TurnCheckpointOptions {
  runId: string;
  /** Where the agent works. */
  cwd: string;
  /** Where glassbox keeps checkpoints. */
  dir: string;
  /** Called once, when one could not be made, with what a person should read. */
  onFailure?(message: string): void;
  bounds?: typeof BOUNDS;
}

interface Wanted {
  turn: number;
  moment: Checkpoint['moment'];
  /** The agent has begun to do something that comes after it. */
  isLate: boolean;
}

/** Begins with the one before the first turn, at once. */
export function createTurnCheckpoints(options: TurnCheckpointOptions): TurnCheckpoints {
  const { runId, cwd, dir, onFailure = () => {}, bounds = BOUNDS } = options;
  let workTree: Promise<WorkTree> | undefined;
  let record: RunCheckpoints | undefined;
  let underWay: Wanted | undefined;
  const waiting: Wanted[] = [];
  let hasFailed = false;
  let isOver = false;
  let wasStarted = true;
  const kinds = new Map<string, ToolKind>();
  let finish: (record: RunCheckpoints | undefined) => void = () => {};
  const done = new Promise<RunCheckpoints | undefined>((resolve) => {
    finish = resolve;
  });

  const make = async (wanted: Wanted): Promise<void> => {
    const { turn, moment } = wanted;
    const checkpoint: Checkpoint = { turn, moment, at: Date.now() };
    try {
      workTree ??= findWorkTree(cwd, dir);
      const tree = await workTree;
      record ??= { runId, top: tree.top, kind: tree.kind, repository: tree.repository, checkpoints: [] };
      const { skipped, ...taken } = await take(tree, bounds);
      await anchor(tree, `${refsOf(runId)}/${record.checkpoints.length}`, taken.commit);
      Object.assign(checkpoint, taken, skipped.length > 0 && { skipped });
      if (wanted.isLate) checkpoint.late = true;
    } catch (error) {
      checkpoint.failed = error instanceof Error ? error.message : String(error);
    }
    record ??= { runId, top: cwd, kind: 'plain', checkpoints: [] };
    record.checkpoints.push(checkpoint);
    // A full disk, say: then this one is not known later either.
    await writeRecord(dir, record).catch((error: unknown) => {
      checkpoint.failed ??= error instanceof Error ? error.message : String(error);
    });
    if (checkpoint.failed !== undefined && !hasFailed) {
      hasFailed = true;
      onFailure(checkpoint.failed);
    }
  };

  const work = async (): Promise<void> => {
    if (underWay) return;
    for (underWay = waiting.shift(); underWay; underWay = waiting.shift()) await make(underWay);
    if (isOver) await over();
  };

  /** Of a run that never was nothing is kept. */
  const over = async (): Promise<void> => {
    if (wasStarted) return finish(record);
    await forgetSessions([{ id: '', runs: [{ runId }] }], dir).catch(() => {});
    finish(undefined);
  };

  const want = (turn: number, moment: Checkpoint['moment']): void => {
    waiting.push({ turn, moment, isLate: false });
    void work();
  };

  const acted = (): void => {
    for (const wanted of [underWay, ...waiting]) if (wanted) wanted.isLate = true;
  };

  want(1, 'before');
  return {
    see(event) {
      if (event.type === 'tool-start') kinds.set(event.id, event.kind);
      else if (event.type === 'tool-input-end' && !ONLY_LOOKS.has(kinds.get(event.id) ?? 'other')) acted();
      else if (event.type === 'turn-start' && event.turn > 1) want(event.turn, 'before');
      else if (event.type === 'turn-end') {
        acted();
        want(event.turn, 'after');
      } else if (event.type === 'run-end') {
        isOver = true;
        wasStarted = event.reason !== 'spawn-failed';
        if (!underWay) void over();
      }
    },
    done,
  };
}

const ONLY_LOOKS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think', 'fetch']);
