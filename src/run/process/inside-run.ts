/**
 * Who is inside a run: the agent and whatever it started. Nobody there may answer for the person, so that what gives decisions,
 * starts servers or lets browsers in asks here first.
 */
import { GlassboxError } from '../../event/index.js';
import { RUN_ID_VARIABLE } from './environment.js';
import { isMark, markOf } from './process-mark.js';
import { type ProcessRow, readProcess, readProcessTable } from './process-table.js';

/**
 * The run around this process, by its own or an ancestor's `GLASSBOX_RUN_ID`, on Linux also by the process tree and the mark that
 * cannot be cleaned off; undefined outside. A run that only its mark tells of is named by that.
 */
export async function runAround(): Promise<string | undefined> {
  const own = process.env[RUN_ID_VARIABLE]?.split('/').at(-1);
  if (own) return own;
  for (let pid = process.pid; pid > 1; ) {
    const row = await readProcess(pid);
    if (!row) return undefined;
    const run = runOf(row);
    if (run) return run;
    pid = row.parent;
  }
  return undefined;
}

/** `what`, as in "answer a question": throws when it is done from inside a run. */
export async function refuseInsideRun(what: string): Promise<void> {
  const run = await runAround();
  if (run !== undefined) throw insideRefusal(what);
}

/** What somebody inside a run is told. */
export function insideRefusal(what: string): GlassboxError {
  return new GlassboxError(
    'forbidden',
    `Nobody can ${what} from inside a run. Do it from a terminal of your own, or in your browser.`,
  );
}

/** Everybody who is inside a run, by number, with the run; Linux only. */
export async function findInsiders(): Promise<ReadonlyMap<number, string>> {
  const table = new Map((await readProcessTable()).map((row) => [row.pid, row]));
  const found = new Map<number, string>();
  const outside = new Set<number>([0, 1]);
  for (const pid of table.keys()) {
    const way: number[] = [];
    let at = pid;
    let run: string | undefined;
    for (let row = table.get(at); row && !outside.has(at); row = table.get(at)) {
      run = found.get(at) ?? runOf(row);
      way.push(at);
      if (run) break;
      at = row.parent;
    }
    for (const one of way) {
      if (run) found.set(one, run);
      else outside.add(one);
    }
  }
  return found;
}

/** Whether a name found in a process, an id or a mark, is that of a run. */
export function isOfRun(named: string, runId: string): boolean {
  return named === runId || named === markOf(runId);
}

function runOf({ runIds, mark }: ProcessRow): string | undefined {
  return runIds.at(-1) ?? (mark !== undefined && isMark(mark) ? mark : undefined);
}
