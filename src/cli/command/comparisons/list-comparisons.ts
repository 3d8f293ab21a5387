/** `glassbox comparisons`: which there are, the table of one, and away with one when somebody wants that. */
import { homedir } from 'node:os';
import { forgetRefs } from '../../../checkpoint/index.js';
import { passedText } from '../../../client/comparison-words.js';
import { formatAgo } from '../../../client/moment.js';
import {
  type Comparison,
  findComparison,
  forgetComparison,
  readComparisons,
  refsOfComparison,
  reportOf,
} from '../../../compare/index.js';
import { GlassboxError } from '../../../event/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { discardWorktree, readWorktrees, worktreeDirectory } from '../../../worktree/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { type Cell, fittedTable } from '../../print/table.js';
import { comparisonRows } from '../compare/comparison-rows.js';
import type { ComparisonsFlags } from './command.js';

const COLUMNS = [
  { head: 'ID' },
  { head: 'WHEN', leaves: 2 },
  { head: 'PROJECT', leaves: 1 },
  { head: 'PASSED', leaves: 3 },
  { head: 'TASK' },
];

export async function listComparisons(this: Context, flags: ComparisonsFlags, ref?: string): Promise<void> {
  const { stdout, stderr, env } = this.process;
  await tellOfLeftovers(stderr);
  const paint = createPaint(wantsColor(flags.color, stdout, env));
  if (ref === undefined) {
    if (flags.remove)
      throw new GlassboxError('invalid-request', 'Name the one that may go: glassbox comparisons ID --remove');
    const all = await readComparisons();
    if (flags.json)
      return print(
        stdout,
        all.map((one) => safeJson(reportOf(one))),
      );
    if (all.length === 0) return note(stderr, 'nothing was compared yet. glassbox compare gives agents the same task.');
    return print(stdout, fittedTable(COLUMNS, all.map(rowOf), paint, stdout.columns));
  }
  const comparison = await findComparison(ref);
  if (flags.remove) return remove.call(this, comparison, flags);
  if (flags.json) return print(stdout, [safeJson(reportOf(comparison))]);
  const { id, task, project, startedAt } = comparison;
  await print(stdout, [
    paint('heading', safeLine(task, 200)),
    paint('quiet', `${id}, ${formatAgo(startedAt)}, in ${projectName(project, homedir(), 60)}`),
    '',
    ...comparisonRows(reportOf(comparison), paint, stdout.columns),
  ]);
}

function rowOf(comparison: Comparison): Cell[] {
  const { id, startedAt, endedAt, project, task, attempts, check } = comparison;
  const { standings } = reportOf(comparison);
  const isOpen = endedAt === undefined && attempts.some(({ state }) => state === 'running' || state === 'checking');
  const passed = standings.map((standing) => `${safeLine(standing.label, 30)} ${passedText(standing)}`).join('; ');
  return [
    { text: id, style: 'prefix' },
    { text: isOpen ? 'now' : formatAgo(startedAt), style: 'quiet' },
    { text: projectName(project, homedir()), style: 'quiet' },
    { text: check === undefined ? counted(attempts.length, 'attempt') : passed },
    { text: safeLine(task, 200) },
  ];
}

/** With the folders, so that nothing is left; what is in sessions stays there. */
async function remove(this: Context, comparison: Comparison, flags: ComparisonsFlags): Promise<void> {
  const { process } = this;
  const { id, project, attempts } = comparison;
  await refuseInsideRun('remove comparisons');
  if (attempts.some(({ state }) => state === 'running' || state === 'checking'))
    throw new GlassboxError('conflict', `${id} still goes on. End it first, with Ctrl-C where it runs.`);
  const branches = new Set(attempts.map(({ branch }) => branch));
  const folders = (await readWorktrees(worktreeDirectory())).filter(
    ({ branch, state }) => branches.has(branch) && state !== 'removed',
  );
  const what = `${id} and ${counted(folders.length, 'work tree')} of its attempts`;
  if (flags.dryRun) return print(process.stdout, [`Would remove ${what}.`]);
  if ((await confirm(`Remove ${what}, for good?`, flags, process)) !== 'yes')
    return print(process.stdout, ['Nothing was removed.']);
  for (const record of folders)
    if (!(await discardWorktree(record)))
      throw new GlassboxError('write-failed', `${record.path} could not be removed whole.`);
  await forgetRefs(project, refsOfComparison(id));
  await forgetComparison(id);
  await print(process.stdout, [`Removed ${what}.`]);
}
