/** `glassbox worktrees`: what is there, in which state, and away with it when somebody wants that. */
import { homedir } from 'node:os';
import { GlassboxError } from '../../../event/index.js';
import { isAlive } from '../../../run/process/reaper.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import {
  discardWorktree,
  isUntouched,
  readWorktrees,
  type WorktreeRecord,
  worktreeDirectory,
} from '../../../worktree/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { wantsColor } from '../../print/color.js';
import { counted } from '../../print/counted.js';
import { note } from '../../print/note.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { fittedTable } from '../../print/table.js';
import type { WorktreesFlags } from './command.js';

const COLUMNS = [
  { head: 'NAME' },
  { head: 'STATE' },
  { head: 'PROJECT', leaves: 1 },
  { head: 'BRANCH', leaves: 0 },
  { head: 'FOLDER' },
];

export async function listWorktrees(this: Context, flags: WorktreesFlags, ...names: string[]): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  await tellOfLeftovers(stderr);
  const all = (await readWorktrees(worktreeDirectory())).filter(({ state }) => state !== 'removed');
  const missing = names.find((name) => !all.some((one) => one.name === name));
  if (missing !== undefined)
    throw new GlassboxError('not-found', `There is no work tree ${missing}. glassbox worktrees lists them.`);
  if (flags.remove && names.length === 0)
    throw new GlassboxError('invalid-request', 'Name the ones that may go: glassbox worktrees NAME --remove');
  const meant = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const states = await Promise.all(meant.map(stateOf));
  if (flags.json)
    await print(
      stdout,
      meant.map((record, index) => safeJson({ schema: 1, ...record, now: states[index] })),
    );
  else if (meant.length === 0) note(stderr, 'there are no work trees. glassbox run --worktree makes one for a run.');
  else {
    const rows = meant.map(({ name, project, branch, path }, index) =>
      [name, states[index] ?? '', projectName(project, homedir()) ?? '', branch, path].map((text) => ({
        text: safeLine(text, 200),
      })),
    );
    await print(stdout, fittedTable(COLUMNS, rows, createPaint(wantsColor(flags.color, stdout, env)), stdout.columns));
  }
  if (!flags.remove) return;
  await refuseInsideRun('remove work trees');
  const busy = meant.find((_, index) => states[index] === 'in use');
  if (busy)
    throw new GlassboxError('conflict', `An agent works in ${busy.name}. End it first; glassbox ps tells which.`);
  if (flags.dryRun) return print(stdout, ['Nothing was changed.']);
  const what = counted(meant.length, 'work tree');
  if ((await confirm(`Remove ${what} with branch and changes, for good?`, flags, process)) !== 'yes')
    return print(stdout, ['Nothing was removed.']);
  for (const record of meant)
    if (!(await discardWorktree(record)))
      throw new GlassboxError(
        'write-failed',
        `${record.path} could not be removed whole. Look at: git -C ${record.project} worktree list`,
      );
  await print(stdout, [`Removed ${what}.`]);
}

async function stateOf(record: WorktreeRecord): Promise<string> {
  if (record.state !== 'kept' && (await isAlive(record.owner))) return 'in use';
  return (await isUntouched(record).catch(() => false)) ? 'nothing changed' : 'changed';
}
