/** `glassbox why-state`: the state of one session, with the evidence. */
import { GlassboxError } from '../../../event/index.js';
import { type Evidence, isLive } from '../../../presence/index.js';
import type { StoreReader } from '../../../store/store.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { duration } from '../../../word/index.js';
import type { Context } from '../../context.js';
import { type SessionNow, sessionsNow } from '../../kept/session-now.js';
import { withStoreReader } from '../../kept/with-store-reader.js';
import { presenceText } from '../../print/presence-text.js';
import { seenName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import type { WhyStateFlags } from './command.js';

export async function explainState(this: Context, flags: WhyStateFlags, ref?: string): Promise<void> {
  const { stdout, env } = this.process;
  await withStoreReader(flags, async (store) => {
    const { session, seen } = await named(store, env, ref);
    const { presence, ...facts } = seen;
    if (flags.json) return print(stdout, [safeJson({ schema: 1, id: session?.id, ...facts, ...presence })]);
    const now = Date.now();
    const name = session?.id ?? seenName(seen);
    await print(stdout, [
      safeLine(`${name} (${seen.agent}) is ${presenceText(presence, now)}`, 300),
      ...presence.because.map((one) => evidenceLine(one, now)),
      ...(presence.against.length > 0 ? ['Against it:'] : []),
      ...presence.against.map((one) => evidenceLine(one, now)),
      ...(presence.because.length + presence.against.length === 0 ? ['  nobody says anything about it'] : []),
    ]);
  });
}

async function named(store: StoreReader, env: NodeJS.ProcessEnv, ref: string | undefined): Promise<SessionNow> {
  const session = ref === undefined ? undefined : await store.session(ref);
  const sessions = session ? [session] : [];
  const all = await sessionsNow({ store, env, sessions, thorough: true, ...(ref !== undefined && { named: ref }) });
  if (session && all[0]) return all[0];
  const meant = all.filter(({ seen }) => (ref === undefined ? isLive(seen.presence) : seen.sessionId?.startsWith(ref)));
  const [first, ...others] = meant;
  if (!first) {
    const text =
      ref === undefined ? 'No agent is live here.' : `There is no session ${ref}, and none is live by that name.`;
    throw new GlassboxError('not-found', `${text} See glassbox ps and glassbox sessions.`);
  }
  if (others.length > 0) throw new GlassboxError('invalid-request', 'Several are meant. glassbox ps tells their ids.');
  return first;
}

function evidenceLine({ source, says, at, text }: Evidence, now: number): string {
  return `  ${says.padEnd(8)} ${`${duration(Math.max(0, now - at))} ago`.padStart(12)}  ${source}: ${safeLine(text, 400)}`;
}
