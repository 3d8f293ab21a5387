/** `glassbox apply`: shows what an attempt changed, asks, and does it as a rewind, so that it can be taken back. */
import { stat } from 'node:fs/promises';
import {
  bringOver,
  keepMoment,
  latestRewind,
  type PreparedChange,
  type Rewound,
  refuseWhileAtWork,
  rewind,
  undoRewind,
} from '../../../checkpoint/index.js';
import { type Attempt, type Comparison, findAttempt, refsOfComparison } from '../../../compare/index.js';
import { GlassboxError } from '../../../event/index.js';
import { refuseInsideRun } from '../../../run/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { liveSessions } from '../../kept/live-session.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { print } from '../../print/sink.js';
import { changeRows, leftRows } from '../rewind/plan-rows.js';
import type { ApplyFlags } from './command.js';

export async function applyAttempt(this: Context, flags: ApplyFlags, ref: string): Promise<void> {
  const { process } = this;
  const { stdout, env } = process;
  const { comparison, attempt } = await findAttempt(ref);
  const name = `${comparison.id}/${attempt.number}`;
  await refuseInsideRun('bring changes over');
  if (flags.undo) return undo.call(this, attempt, name, flags);
  const { plan, inTheWay } = await bringOver(comparison.project, ...(await momentsOf(comparison, attempt, name)));
  if (inTheWay.length > 0) throw new GlassboxError('conflict', wayText(inTheWay, name, attempt));
  const { files, left, top } = plan;
  if (files.length === 0) {
    const facts = { schema: 1, attempt: name, files: 0, left };
    return print(
      stdout,
      flags.json ? [safeJson(facts)] : [...leftRows(left), `All that ${name} changed is here already.`],
    );
  }
  if (flags.json && !flags.yes) return print(stdout, [safeJson({ schema: 1, attempt: name, top, files, left })]);
  const paint = createPaint(wantsColor(flags.color, stdout, env));
  if (!flags.json)
    await print(stdout, [
      `What ${safeLine(attempt.label, 40)} did in ${name}, into ${safeLine(top, 200)}:`,
      ...(await changeRows(plan, paint, { changed: 'changes', restored: 'is new', removed: 'goes' })),
    ]);
  if (flags.dryRun) return print(stdout, ['Nothing was changed.']);
  await withStore(flags, async (store) => refuseWhileAtWork(await liveSessions(store), '', top));
  const question = `Bring ${counted(files.length, 'file')} over?`;
  if ((await confirm(question, flags, process)) !== 'yes') return print(stdout, ['Nothing was changed.']);
  await tell.call(this, await perform(plan, attempt, name), flags, `glassbox apply ${name} --undo takes that back.`);
}

/** Under the attempt's session, so that `glassbox rewind ID --undo` finds it too. */
const perform = (plan: PreparedChange, { session }: Attempt, name: string): Promise<Rewound> =>
  rewind(plan, { session: session ?? name, to: `what ${name} did` });

async function undo(this: Context, { session }: Attempt, name: string, flags: ApplyFlags): Promise<void> {
  const { process } = this;
  if (flags.dryRun) throw new GlassboxError('invalid-request', 'What --undo would do cannot be shown beforehand.');
  const last = await latestRewind(session ?? name);
  if (last) await withStore(flags, async (store) => refuseWhileAtWork(await liveSessions(store), '', last.top));
  if (last && (await confirm(`Take ${name} out of your files again?`, flags, process)) !== 'yes')
    return print(process.stdout, ['Nothing was changed.']);
  const done = await undoRewind(session ?? name);
  if (!done) throw new GlassboxError('not-found', `${name} was not brought over, so there is nothing to take back.`);
  await tell.call(this, done, flags, '');
}

async function tell(this: Context, done: Rewound, flags: ApplyFlags, next: string): Promise<void> {
  const { stdout } = this.process;
  if (flags.json) return print(stdout, [safeJson({ schema: 1, ...done })]);
  await print(stdout, [...leftRows(done.left), `Changed ${counted(done.files, 'file')}. ${next}`.trim()]);
}

/** Of one that was cut off, what is in its folder now. */
async function momentsOf(
  { id }: Comparison,
  { before, after, folder, number, state }: Attempt,
  name: string,
): Promise<[before: string, after: string]> {
  if (state === 'running' || state === 'checking' || state === 'waiting')
    throw new GlassboxError('conflict', `${name} still goes on. Wait for its end.`);
  if (before !== undefined && after !== undefined) return [before, after];
  const isThere = folder !== undefined && (await stat(folder).catch(() => undefined)) !== undefined;
  if (before === undefined || !isThere)
    throw new GlassboxError('not-found', `${name} left nothing that could be brought over.`);
  return [before, await keepMoment(folder, `${refsOfComparison(id)}/${number}/after`)];
}

function wayText(files: readonly string[], name: string, { folder }: Attempt): string {
  const named = files.slice(0, 10).map((file) => safeLine(file, 200));
  const more = files.length > 10 ? ` and ${files.length - 10} more` : '';
  const by = folder === undefined ? '' : `, or take over by hand what is in ${folder}`;
  return `Nothing was changed: ${name} would write over what is here now in ${named.join(', ')}${more}. Put your changes of that aside, as with git stash${by}.`;
}
