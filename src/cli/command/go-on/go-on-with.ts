/** `glassbox go-on`: lists what is parked, waits for one of them, or says when it goes on. */
import { placeToGoOn } from '../../../checkpoint/index.js';
import { GlassboxError } from '../../../event/index.js';
import {
  claimant,
  goOnAt,
  goOnRequest,
  listParked,
  neverGoOn,
  type Parked,
  type ParkedRun,
  parkedSession,
  parkingDirectory,
} from '../../../parking/index.js';
import { duration } from '../../../word/index.js';
import type { Context } from '../../context.js';
import { awaitLimit } from '../../kept/await-limit.js';
import { describeSession } from '../../kept/continuation.js';
import { inOwnWorktree } from '../../kept/in-worktree.js';
import { namedSession } from '../../kept/named-session.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { startAgent } from '../run/run-agent.js';
import type { GoOnFlags } from './command.js';
import { parkedLines } from './parked-rows.js';

export async function goOnWith(this: Context, flags: GoOnFlags, ref?: string): Promise<void> {
  const { process } = this;
  const { stdout, stderr } = process;
  if ([flags.now, flags.never, flags.later !== undefined].filter(Boolean).length > 1)
    throw new GlassboxError('invalid-request', 'Say one of --now, --later and --never.');
  if (ref === undefined) {
    if (flags.now || flags.never || flags.later !== undefined)
      throw new GlassboxError('invalid-request', 'Say which session. glassbox go-on lists them.');
    const all = await withStore(flags, (store) => listParked(store));
    await print(stdout, parkedLines(all, flags, process));
    if (all.length === 0) note(stderr, 'nothing is parked: no limit holds a session up.');
    return;
  }
  await refuseInsideRun('go on with a session', flags);
  const parked = await withStore(flags, async (store) =>
    parkedSession(store, await namedSession(store, ref, process.cwd())),
  );
  const { record, session } = parked;
  if (flags.never) {
    await neverGoOn(record);
    return print(stdout, [
      `${session.id} does not go on by itself. With words of yours: glassbox resume ${session.id} "…"`,
    ]);
  }
  if (flags.later !== undefined) {
    const waiting = await goOnAt(record, Date.now() + flags.later);
    const who = waiting ? `the glassbox that waits for it (${waiting.pid}) was told` : WHO_DOES_IT(session.id);
    return print(stdout, [`${session.id} goes on in ${duration(flags.later)}; ${who}.`]);
  }
  const waiting = await claimant(parkingDirectory(), record.runId);
  if (flags.now && waiting) {
    await goOnAt(record, Date.now());
    return print(stdout, [`${session.id} goes on now: the glassbox that waits for it (${waiting.pid}) was told.`]);
  }
  await here.call(this, flags, parked);
}

const WHO_DOES_IT = (id: string): string =>
  `nobody waits for it now: glassbox serve does it, or glassbox go-on ${id} waits here`;

async function here(this: Context, flags: GoOnFlags, parked: Parked): Promise<void> {
  const { process } = this;
  const { record, session } = parked;
  const budget = {
    budgetUsd: flags.budget ?? record.budgetUsd,
    budgetTokens: flags.budgetTokens ?? record.budgetTokens,
  };
  if (budget.budgetUsd === 0 || budget.budgetTokens === 0)
    throw new GlassboxError('conflict', `The budget of ${session.id} is used up. Give it more with --budget.`);
  const wanted: ParkedRun = { ...record, goesOnAt: flags.now ? Date.now() : (record.goesOnAt ?? record.until) };
  await goOnAt(record, wanted.goesOnAt ?? 0);
  const going = await awaitLimit({ record: wanted, session }, process);
  if (typeof going === 'number') {
    process.exitCode = going;
    return;
  }
  const { prompt = '', ...request } = { ...goOnRequest(going, session), ...(await placeToGoOn(session)) };
  const times = flags.goOnTimes ?? (record.timesLeft > 0 ? record.timesLeft - 1 : undefined);
  const cwd = flags.cwd ?? session.cwd;
  const start = cwd === undefined ? flags : { ...flags, cwd };
  const given = Object.fromEntries(Object.entries(budget).filter(([, value]) => value !== undefined));
  await inOwnWorktree(flags, cwd, process, () =>
    startAgent.call(this, start, [session.agent, prompt], {
      request: { ...request, ...given },
      terms: session.runs.at(-1)?.terms,
      remark: `going on with ${describeSession(session)}`,
      // Who never said that it waits by itself has not waited too often either.
      ...(times !== undefined && { goOn: { times } }),
    }),
  );
}
