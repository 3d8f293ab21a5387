/** `glassbox ps`: the agents that are live now, whoever started them, and what they wait for. */
import { lineFor } from '../../../consent/index.js';
import { listParked } from '../../../parking/index.js';
import { isLive, type Presence } from '../../../presence/index.js';
import type { ApprovalRecord, SessionRecord } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { liveSessions } from '../../kept/live-session.js';
import { openQuestions } from '../../kept/open-question.js';
import { type SessionNow, sessionsNow } from '../../kept/session-now.js';
import { withStoreReader } from '../../kept/with-store-reader.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { awaitedLine } from '../../print/presence-text.js';
import { seenCells, sessionCells } from '../../print/session-cell.js';
import { headOf, placeOf, rowsOf } from '../../print/session-rows.js';
import { print } from '../../print/sink.js';
import type { PsFlags } from './command.js';

export async function listLive(this: Context, flags: PsFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  // Before it is said that nobody is at work.
  await tellOfLeftovers(stderr);
  await withStoreReader(flags, async (store) => {
    const sessions = [...(await liveSessions(store)), ...(await listParked(store)).map(({ session }) => session)];
    const all = await sessionsNow({ store, env, sessions });
    const live = all.filter(({ seen }) => isLive(seen.presence)).sort((a, b) => rankOf(a) - rankOf(b));
    const open = await openQuestions(store, sessions);
    const asked = live.map(({ session }) => open.filter((approval) => approval.session === session?.id));
    if (flags.json) {
      const lines = live.map((one, index) => safeJson({ schema: 1, ...factsOf(one), approvals: asked[index] }));
      return print(stdout, lines);
    }
    const paint = createPaint(wantsColor(flags.color, stdout, env));
    const width = stdout.columns || Number.POSITIVE_INFINITY;
    const place = placeOf(this.process);
    const cells = live.map(({ session, seen }) =>
      session ? sessionCells(session, { ...place, presence: seen.presence }) : seenCells(seen, place),
    );
    const rows = rowsOf(cells, this.process, flags.color);
    const questions = live.map(({ session, seen }, index) => {
      const lines = asked[index]?.map((one) => questionLine(one, width)) ?? [];
      const awaited = lines.length > 0 ? undefined : awaitedLine(seen.presence, width, session?.id);
      return [...lines, ...(awaited === undefined ? [] : [awaited])].map((line) => paint('notice', line));
    });
    await print(stdout, [
      ...headOf(cells, this.process, flags.color),
      ...rows.flatMap((row, index) => [row, ...(questions[index] ?? [])]),
    ]);
    if (open.length > 0) note(stderr, 'glassbox next answers them, the oldest first.');
    if (live.length === 0) note(stderr, 'no agent is at work. glassbox sessions lists what was run.');
  });
}

const ORDER: readonly Presence['state'][] = ['waiting', 'working', 'idle', 'parked', 'unknown', 'ended'];

function rankOf({ seen }: SessionNow): number {
  return ORDER.indexOf(seen.presence.state);
}

/** The record of a session that is kept; of another one what was seen. */
function factsOf({ session, seen }: SessionNow): Partial<SessionRecord> & { presence: Presence } {
  const { presence, sessionId, ...facts } = seen;
  if (session) return { ...session, presence };
  const isNamed = sessionId !== undefined && !facts.isUnnamed;
  return { ...facts, ...(isNamed && { agentSessionId: sessionId }), presence };
}

const questionLine = ({ request }: ApprovalRecord, width: number): string =>
  `  ${safeLine(`asks: ${lineFor(request)}`, Math.min(width - 2, 200))}`;
