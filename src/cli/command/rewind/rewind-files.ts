/** `glassbox rewind`: lists the turns of a session, or shows what going back would change, asks, and does it. */
import {
  findTurns,
  type PreparedRewind,
  planRewind,
  type RewindChoice,
  type Rewound,
  refuseWhileAtWork,
  rewind,
  undoRewind,
} from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import { refuseInsideRun } from '../../../run/index.js';
import type { SessionRecord } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { parseTurn } from '../../flag/parse-turn.js';
import { liveSessions } from '../../kept/live-session.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { print } from '../../print/sink.js';
import { choosePatch } from './choose-patch.js';
import type { RewindFlags } from './command.js';
import { leftRows, planRows } from './plan-rows.js';
import { turnRows, turnsJson } from './turn-list.js';

export async function rewindFiles(this: Context, flags: RewindFlags, ref: string, ...paths: string[]): Promise<void> {
  const { process } = this;
  const { stdout, env } = process;
  const { id, turn } = parseTurn(ref);
  await withStore(flags, async (store) => {
    const session = await namedSession(store, id, process.cwd());
    if (flags.undo) return undo.call(this, session, flags);
    if (turn === undefined) {
      if (flags.before || flags.patch || paths.length > 0)
        throw new GlassboxError('invalid-request', WHICH_TURN(session.id));
      const rows = flags.json ? await turnsJson(store, session) : await turnRows(store, session, process, flags.color);
      return print(stdout, rows);
    }
    const plan = await planRewind(await findTurns(session.runs), { turn, before: flags.before });
    const chosen = narrow(plan, paths);
    if (flags.json && !flags.yes) return print(stdout, [safeJson({ schema: 1, ...withoutTools(chosen) })]);
    const paint = createPaint(wantsColor(flags.color, stdout, env));
    if (!flags.json) await print(stdout, await planRows(chosen, paint));
    if (chosen.files.length === 0)
      return flags.json ? print(stdout, [safeJson({ schema: 1, files: 0, left: chosen.left })]) : undefined;
    if (flags.dryRun) return print(stdout, ['Nothing was changed.']);
    await refuseInsideRun('take files back');
    refuseWhileAtWork(await liveSessions(store), session.id, plan.top);
    const choice: RewindChoice | undefined = flags.patch
      ? await choosePatch(chosen, paint, process)
      : (await confirm(`Take ${counted(chosen.files.length, 'file')} back?`, flags, process)) === 'yes'
        ? { paths: chosen.files.map((file) => file.path) }
        : undefined;
    if (!choice) return print(stdout, ['Nothing was changed.']);
    const to = `${plan.before || turn === 0 ? 'before' : 'after'} turn ${Math.max(turn, 1)}`;
    const done = await rewind(plan, { session: session.id, to }, choice);
    await tell.call(this, done, session, flags);
  });
}

const WHICH_TURN = (id: string): string => `Say which turn: glassbox rewind ${id}@2. glassbox rewind ${id} lists them.`;

async function undo(this: Context, session: SessionRecord, flags: RewindFlags): Promise<void> {
  const { process } = this;
  if (flags.dryRun)
    throw new GlassboxError(
      'invalid-request',
      'What --undo would do cannot be shown beforehand; it can be taken back by another rewind.',
    );
  await refuseInsideRun('take files back');
  if (!flags.json && (await confirm(`Take the last rewind of ${session.id} back?`, flags, process)) !== 'yes')
    return print(process.stdout, ['Nothing was changed.']);
  const done = await undoRewind(session.id);
  if (!done) throw new GlassboxError('not-found', `There is no rewind of ${session.id} that could be taken back.`);
  await tell.call(this, done, session, flags);
}

async function tell(this: Context, done: Rewound, { id }: SessionRecord, flags: RewindFlags): Promise<void> {
  const { stdout } = this.process;
  if (flags.json) return print(stdout, [safeJson({ schema: 1, ...done })]);
  const what = done.files === 0 ? 'No file was changed.' : `Took ${counted(done.files, 'file')} back.`;
  const how = done.files === 0 || flags.undo ? '' : ` glassbox rewind ${id} --undo takes that back.`;
  await print(stdout, [...leftRows(done.left), `${what}${how}`]);
}

/** Only what was named; a folder means all that is in it. */
function narrow(plan: PreparedRewind, paths: readonly string[]): PreparedRewind {
  if (paths.length === 0) return plan;
  const names = paths.map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''));
  const isMeant = (file: string, name: string) => file === name || file.startsWith(`${name}/`);
  const nothing = names.find((name) => !plan.files.some((file) => isMeant(file.path, name)));
  if (nothing !== undefined)
    throw new GlassboxError(
      'not-found',
      `${safeLine(nothing, 200)} would not change. Name files from the top of the project, as glassbox rewind lists them.`,
    );
  return { ...plan, files: plan.files.filter((file) => names.some((name) => isMeant(file.path, name))) };
}

function withoutTools({ workTree: _, now: __, then: ___, ...plan }: PreparedRewind) {
  return plan;
}
