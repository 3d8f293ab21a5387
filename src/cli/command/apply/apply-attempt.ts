/** `glassbox apply`: shows what was done elsewhere, asks, and does it as a rewind, so that it can be taken back. */
import {
  bringOver,
  latestRewind,
  type PreparedChange,
  type Rewound,
  refuseWhileAtWork,
  rewind,
  undoRewind,
} from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { liveSessions } from '../../kept/live-session.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { print } from '../../print/sink.js';
import { changeRows, leftRows } from '../rewind/plan-rows.js';
import type { ApplyFlags } from './command.js';
import { type Done, findDone } from './find-done.js';

export async function applyAttempt(this: Context, flags: ApplyFlags, ref: string): Promise<void> {
  const { process } = this;
  const { stdout, env } = process;
  const work = await findDone(ref, flags);
  const { name } = work;
  await refuseInsideRun('bring changes over', flags);
  if (flags.undo) return undo.call(this, work, flags);
  const { plan, inTheWay } = await bringOver(work.project, ...(await work.moments()));
  if (inTheWay.length > 0) throw new GlassboxError('conflict', wayText(inTheWay, work));
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
      `What ${safeLine(work.label, 40)} did in ${name}, into ${safeLine(top, 200)}:`,
      ...(await changeRows(plan, paint, { changed: 'changes', restored: 'is new', removed: 'goes' })),
    ]);
  if (flags.dryRun) return print(stdout, ['Nothing was changed.']);
  await withStore(flags, async (store) => refuseWhileAtWork(await liveSessions(store), '', top));
  const question = `Bring ${counted(files.length, 'file')} over?`;
  if ((await confirm(question, flags, process)) !== 'yes') return print(stdout, ['Nothing was changed.']);
  await tell.call(this, await perform(plan, work), flags, `glassbox apply ${name} --undo takes that back.`);
}

/** An attempt under its session, so that `glassbox rewind ID --undo` finds it too. */
const perform = (plan: PreparedChange, { kept, name }: Done): Promise<Rewound> =>
  rewind(plan, { session: kept, to: `what ${name} did`, applies: true });

async function undo(this: Context, { kept, name }: Done, flags: ApplyFlags): Promise<void> {
  const { process } = this;
  if (flags.dryRun) throw new GlassboxError('invalid-request', 'What --undo would do cannot be shown beforehand.');
  const last = await latestRewind(kept);
  if (last) await withStore(flags, async (store) => refuseWhileAtWork(await liveSessions(store), '', last.top));
  if (last && (await confirm(`Take ${name} out of your files again?`, flags, process)) !== 'yes')
    return print(process.stdout, ['Nothing was changed.']);
  const done = await undoRewind(kept);
  if (!done) throw new GlassboxError('not-found', `${name} was not brought over, so there is nothing to take back.`);
  await tell.call(this, done, flags, '');
}

async function tell(this: Context, done: Rewound, flags: ApplyFlags, next: string): Promise<void> {
  const { stdout } = this.process;
  if (flags.json) return print(stdout, [safeJson({ schema: 1, ...done })]);
  await print(stdout, [...leftRows(done.left), `Changed ${counted(done.files, 'file')}. ${next}`.trim()]);
}

function wayText(files: readonly string[], { name, folder }: Done): string {
  const named = files.slice(0, 10).map((file) => safeLine(file, 200));
  const more = files.length > 10 ? ` and ${files.length - 10} more` : '';
  const by = folder === undefined ? '' : `, or take over by hand what is in ${folder}`;
  return `Nothing was changed: ${name} would write over what is here now in ${named.join(', ')}${more}. Put your changes of that aside, as with git stash${by}.`;
}
