/**
 * A run that was ended to be handed over: its session goes on in the agent's own program on this terminal, and when that ends, what happened
 * there is read in and shown, and glassbox goes on with whatever is said next. What was typed and not said is still in the line.
 */
import type { AgentEvent, Completion } from '../../../event/index.js';
import { type RunRequest, requireAgent, type Settings } from '../../../run/index.js';
import { initialState, reduce } from '../../../session/index.js';
import type { SessionRecord } from '../../../store/index.js';
import { conversationRows } from '../../../view/terminal/index.js';
import type { AskingTerminal } from '../../ask/asking-terminal.js';
import { failureText } from '../../failure.js';
import { continuation } from '../../kept/continuation.js';
import { withStore } from '../../kept/with-store.js';
import { askNext } from '../../live/ask-next.js';
import { projectFiles } from '../../live/project-files.js';
import { attendProgram } from '../../own-program/attend-program.js';
import { findOwnProgram } from '../../own-program/find-own-program.js';
import { type ReadBack, readBack } from '../../own-program/read-back.js';
import { wantsColor } from '../../print/color.js';
import { note, noteKept } from '../../print/note.js';
import { print } from '../../print/sink.js';
import type { StartFlags } from './command.js';

/** What a run came to. */
export interface Shown {
  agent: string;
  completion: Completion;
  /** Undefined when it was not kept. */
  record: SessionRecord | undefined;
  unsaid: readonly string[];
}

export interface HandOverOptions extends Shown {
  wanted: RunRequest;
  settings: Settings;
  terminal: AskingTerminal;
  history: readonly string[];
  typed?: ((text: string) => void) | undefined;
}

/** What goes on from there; undefined when somebody leaves. */
export async function handOverAndBack(
  process: NodeJS.Process,
  flags: StartFlags,
  { agent, completion, record, unsaid, wanted, settings, terminal, history, typed }: HandOverOptions,
): Promise<(Partial<RunRequest> & { prompt: string }) | undefined> {
  const { stdout, stderr, env } = process;
  const { cwd = process.cwd() } = wanted;
  const agentSessionId = record?.agentSessionId ?? completion.sessionId ?? '';
  const color = wantsColor(flags.color, stdout, env);
  const { title } = requireAgent(agent);
  let session = record;
  let begun = unsaid.join('\n');
  for (;;) {
    note(stderr, `opening it in ${title}; it comes back here when that ends.`);
    const since = Date.now();
    const isOpened = await openOwn();
    const back = session && (await readBackFrom(session, since));
    session = back?.session;
    await print(stdout, rowsOf(back?.events ?? [], { width: stdout.columns || 80, color }));
    const about = isOpened ? aboutBack(title, back?.events) : 'it is still here';
    const files = () => projectFiles(cwd);
    const next = await askNext(process, { terminal, color, about, begun, history, typed, files });
    if (next && 'say' in next)
      return { ...(session ? await continuation(session) : { resume: agentSessionId }), prompt: next.say };
    if (!next) {
      if (session && !flags.quiet) noteKept(stderr, session);
      process.exitCode ??= 0;
      return undefined;
    }
    ({ begun } = next);
  }

  /** What fails is told, and the session is still here. */
  async function openOwn(): Promise<boolean> {
    try {
      const found = { settings, env, chosen: wanted.program };
      await attendProgram(process, await findOwnProgram({ agent, agentSessionId, cwd }, found));
      return true;
    } catch (error) {
      note(stderr, failureText(error).replace(/^glassbox: /, ''));
      return false;
    }
  }

  function readBackFrom(from: SessionRecord, since: number): Promise<ReadBack> {
    return withStore(flags, (store) => readBack(store, from, { env, since }));
  }
}

/** `events` are missing where nothing is kept. */
function aboutBack(title: string, events: readonly AgentEvent[] | undefined): string {
  if (!events) return `back from ${title}; nothing is kept, so what happened there is not shown`;
  return events.length > 0 ? `back from ${title}` : `back from ${title}; nothing was said there`;
}

/** As in `show`. */
function rowsOf(events: readonly AgentEvent[], look: { width: number; color: boolean }): string[] {
  if (events.length === 0) return [];
  return ['', ...conversationRows(events.reduce(reduce, initialState), { ...look, isFull: false }), ''];
}
