/**
 * A run that is kept: every event goes to the store, and what anybody tells the run there comes to the agent.
 * The run never waits for the store and goes on without it; but one that goes on with a session is started when the store knows of it, so that
 * two of them are never two agents in one conversation.
 */
import { setTimeout } from 'node:timers/promises';
import { type AgentEvent, type Completion, GlassboxError } from '../event/index.js';
import { refuseUnknown } from '../event/option.js';
import type { RunHandle } from '../run/index.js';
import type { RunRecord, RunStart } from './record.js';
import { createRecorder } from './recorder.js';
import type { RunKeeper } from './store.js';

export interface KeptRun {
  readonly handle: RunHandle;
  /** What the store is told about it. */
  readonly start: RunStart;
  /** The run as the store knows it, or nothing where the store fails; rejects when somebody else goes on with its session. */
  readonly known: Promise<RunRecord | undefined>;
  /** Settles when the run has ended and everything of it is written, or has failed to be. */
  readonly done: Promise<Completion>;
}

export interface KeepOptions {
  store: RunKeeper | Promise<RunKeeper>;
  /** Sees every event at once, before the store does. */
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Whose run it is, by name. */
  principal?: string | undefined;
  /** Called once when the store fails, with a message for people. */
  onStoreFailure?: ((error: GlassboxError) => void) | undefined;
}

/** So long a run that goes on with a session waits for a store that does not answer. */
const PATIENCE_MS = 10_000;
/** How soon a store that failed is asked again. */
const RETRY_MS = 1000;

/** To be called in the turn of the event loop in which the run was started: `keepRun(run(request), { store })`. */
export function keepRun(handle: RunHandle, options: KeepOptions): KeptRun {
  refuseUnknown('keepRun', options, { store: true, onEvent: true, principal: true, onStoreFailure: true });
  const { store, onEvent, principal, onStoreFailure } = options;
  const { runId, agent, terms, beginning } = handle;
  const ended = new AbortController();
  const alone = beginning.resumes !== undefined && !beginning.fork;
  const whose = { ...(principal !== undefined && { principal }), ...(alone && { alone }) };
  const start: RunStart = { runId, agent, terms, ...beginning, ...whose };
  let isKnown = !alone;
  const recorder = createRecorder({
    store,
    start,
    // That another one goes on with the session is told as why this one could not be started.
    onFailure: (error) => (isKnown || error.code !== 'conflict') && onStoreFailure?.(error),
    // Somebody else goes on with it: two agents must not work at the same thing, of which one is not recorded.
    onLost: ({ message }) => isKnown && handle.cancel(message),
  });
  if (alone) {
    const known = recorder.known.then(() => {
      isKnown = true;
    });
    handle.startAfter(Promise.race([known, setTimeout(PATIENCE_MS, undefined, { ref: false })]));
  }

  const record = async (): Promise<Completion> => {
    for await (const event of handle.events) {
      recorder.push(event);
      onEvent?.(event);
    }
    const completion = await handle.completion;
    ended.abort();
    await bringing;
    await recorder.close();
    return completion;
  };

  const bringing = bringInstructions(handle, store, ended.signal);
  return { handle, start, known: recorder.known, done: record() };
}

/**
 * What is told in other processes. A store that fails brings nothing until it works again; the run itself does not depend on it, and
 * the recorder reports it.
 */
async function bringInstructions(
  handle: RunHandle,
  store: RunKeeper | Promise<RunKeeper>,
  signal: AbortSignal,
): Promise<void> {
  const { runId } = handle;
  while (!signal.aborted) {
    try {
      const opened = await store;
      for await (const { id, instruction, from } of opened.instructions(runId, { signal })) {
        // Said before the event of an answer can be written, which would look as if another one had won.
        await opened.acknowledge(runId, id, handle.tell(instruction, from));
      }
    } catch (error) {
      if (error instanceof GlassboxError && error.code === 'conflict') return;
    }
    await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
