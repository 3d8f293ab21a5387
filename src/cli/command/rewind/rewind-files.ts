/** `glassbox rewind`: lists the turns of a session, or shows what going back would change, asks, and does it. */
import path from 'node:path';
import {
  findTurns,
  goBack,
  latestRewind,
  type PreparedWayBack,
  placeToGoOn,
  planWayBack,
  type RewindWish,
  type Rewound,
  refuseWhileAtWork,
  undoRewind,
  type WayBackChoice,
} from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import { markEditsOfOthers } from '../../../review/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { parseTurn } from '../../flag/parse-turn.js';
import { liveSessions } from '../../kept/live-session.js';
import { namedSession } from '../../kept/named-session.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { withStore } from '../../kept/with-store.js';
import { byWords } from '../../print/by-words.js';
import { wantsColor } from '../../print/color.js';
import { print } from '../../print/sink.js';
import { choosePatch } from './choose-patch.js';
import type { RewindFlags } from './command.js';
import { became, leftRows, planned, planRows } from './plan-rows.js';
import { turnRows, turnsJson } from './turn-list.js';

export async function rewindFiles(this: Context, flags: RewindFlags, ref: string, ...paths: string[]): Promise<void> {
  const { process } = this;
  const { id, turn } = parseTurn(ref);
  await withStore(flags, async (store) => {
    const session = await namedSession(store, id, process.cwd());
    if (flags.patch && flags.yes) throw new GlassboxError('invalid-request', EACH_PART);
    if (flags.undo) return undoLast.call(this, store, session, flags);
    if (turn !== undefined) return rewindTo.call(this, store, session, { turn, before: flags.before }, flags, paths);
    if (flags.before || flags.patch || paths.length > 0)
      throw new GlassboxError('invalid-request', WHICH_TURN(session.id));
    const rows = flags.json ? await turnsJson(store, session) : await turnRows(store, session, process, flags.color);
    return print(process.stdout, rows);
  });
}

/** Shows what going back to a moment would change, asks, and does it. */
export async function rewindTo(
  this: Pick<Context, 'process'>,
  store: Store,
  session: SessionRecord,
  wish: RewindWish,
  flags: RewindFlags,
  paths: readonly string[] = [],
): Promise<void> {
  const { process } = this;
  const { stdout, env } = process;
  const read = (runId: string) => store.read(runId);
  const turns = await findTurns(session.runs);
  const plan = await markEditsOfOthers(store, session.id, await planWayBack(turns, wish, { session, read }));
  const chosen = narrow(plan, paths, process.cwd());
  const last = turns.length;
  const isWhole = paths.length === 0 && !flags.patch && !flags.filesOnly;
  if (flags.json && !flags.yes) return print(stdout, [safeJson({ schema: 1, ...withoutTools(chosen) })]);
  const paint = createPaint(wantsColor(flags.color, stdout, env));
  if (!flags.json)
    await print(stdout, [
      ...(await planRows(chosen, paint)),
      ...(isWhole ? planned(plan, last).map((line) => byWords(line, stdout)) : []),
    ]);
  const { place, turn } = plan.conversation;
  const isBackThere = turn === last && !(await placeToGoOn(session));
  if (chosen.files.length === 0 && !(isWhole && place && !isBackThere))
    return flags.json ? print(stdout, [safeJson({ schema: 1, files: 0, left: chosen.left })]) : undefined;
  if (flags.dryRun) return print(stdout, ['Nothing was changed.']);
  await refuseInsideRun('take files back', flags);
  refuseWhileAtWork(await liveSessions(store), session.id, plan.top);
  const choice: WayBackChoice | undefined = flags.patch
    ? await choosePatch(chosen, paint, process)
    : (await confirm(question(chosen, isWhole), flags, process)) === 'yes'
      ? { ...(!isWhole && { paths: chosen.files.map((file) => file.path) }) }
      : undefined;
  if (!choice) return print(stdout, ['Nothing was changed.']);
  await tell.call(this, await goBack(plan, session.id, choice), { ...session, last }, flags);
}

function question({ files, conversation: { place } }: PreparedWayBack, isWhole: boolean): string {
  const what = [
    ...(files.length > 0 ? [counted(files.length, 'file')] : []),
    ...(isWhole && place ? ['the conversation'] : []),
  ];
  return `Take ${what.join(' and ')} back?`;
}

const EACH_PART = '--patch asks for each part, so --yes does not go with it. Name files to take only these back.';
const WHICH_TURN = (id: string): string => `Say which turn: glassbox rewind ${id}@2. glassbox rewind ${id} lists them.`;

export async function undoLast(
  this: Pick<Context, 'process'>,
  store: Store,
  session: SessionRecord,
  flags: RewindFlags,
): Promise<void> {
  const { process } = this;
  if (flags.dryRun)
    throw new GlassboxError(
      'invalid-request',
      'What --undo would do cannot be shown beforehand; it can be taken back by another rewind.',
    );
  await refuseInsideRun('take files back', flags);
  const last = await latestRewind(session.id);
  if (!last) throw noneToUndo(session);
  refuseWhileAtWork(await liveSessions(store), session.id, last.top);
  if ((await confirm(`Take the last rewind of ${session.id} back?`, flags, process)) !== 'yes')
    return print(process.stdout, ['Nothing was changed.']);
  const done = await undoRewind(session.id);
  if (!done) throw noneToUndo(session);
  await tell.call(this, done, session, flags);
}

const noneToUndo = ({ id }: SessionRecord): GlassboxError =>
  new GlassboxError('not-found', `There is no rewind of ${id} that could be taken back.`);

async function tell(
  this: Pick<Context, 'process'>,
  done: Rewound,
  { id, last }: { id: string; last?: number },
  flags: RewindFlags,
): Promise<void> {
  const { stdout } = this.process;
  if (flags.json) return print(stdout, [safeJson({ schema: 1, ...done })]);
  const what = done.files === 0 ? 'No file was changed.' : `Took ${counted(done.files, 'file')} back.`;
  const how = done.id === '' || flags.undo ? '' : ` glassbox rewind ${id} --undo takes that back.`;
  await print(stdout, [
    ...leftRows(done.left),
    byWords([`${what}${how}`, ...(done.conversation ? became(done.conversation, last) : [])].join('\n'), stdout),
  ]);
}

/** Only what was named: as it is listed, whole, or from here with `./` or `../`. A folder means all that is in it. */
function narrow(plan: PreparedWayBack, paths: readonly string[], cwd: string): PreparedWayBack {
  if (paths.length === 0) return plan;
  const names = paths.map((name) => fromTop(name, plan.top, cwd));
  const isMeant = (file: string, name: string) => name === '' || file === name || file.startsWith(`${name}/`);
  const nothing = paths.find((_, index) => !plan.files.some((file) => isMeant(file.path, names[index] ?? '')));
  if (nothing !== undefined)
    throw new GlassboxError(
      'not-found',
      `${safeLine(nothing, 200)} would not change. Name files from the top of the project, as they are listed, or from here with ./`,
    );
  return { ...plan, files: plan.files.filter((file) => names.some((name) => isMeant(file.path, name))) };
}

function fromTop(name: string, top: string, cwd: string): string {
  const isFromHere = /^\.\.?(?:[\\/]|$)/.test(name) || path.isAbsolute(name);
  const said = isFromHere ? path.relative(top, path.resolve(cwd, name)) : path.normalize(name);
  return said.split(path.sep).join('/').replace(/\/$/, '');
}

function withoutTools({ workTree: _, now: __, then: ___, conversation, ...plan }: PreparedWayBack) {
  const { place: ____, ...told } = conversation;
  return { ...plan, conversation: told };
}
