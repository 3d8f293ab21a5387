/**
 * A run that is kept: every event goes to the store, and an answer that anybody gives there comes to the agent.
 * The run never waits for the store and goes on without it.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AgentEvent, Completion, GlassboxError } from '../event/index.js';
import { type RunHandle, type RunRequest, run } from '../run/index.js';
import { type ApprovalAnswer, createRecorder, type Reception, type RunStart, type Store } from '../store/index.js';

export interface KeptRun {
  readonly handle: RunHandle;
  /** What the store is told about it. */
  readonly start: RunStart;
  /** Settles when the run has ended and everything of it is written, or has failed to be. */
  readonly done: Promise<Completion>;
}

export interface KeepOptions {
  store: Store | Promise<Store>;
  /** For what the request does not say. */
  defaults?: Partial<RunRequest>;
  /** Sees every event at once, before the store does. */
  onEvent?(event: AgentEvent): void;
  /** Called once when the store fails, with a message for people. */
  onStoreFailure?(error: GlassboxError): void;
}

export function keepRun(request: RunRequest, options: KeepOptions): KeptRun {
  const { store, defaults, onEvent, onStoreFailure } = options;
  const runId = request.runId ?? randomUUID();
  const handle = run({ ...request, runId }, defaults);
  const ended = new AbortController();
  const start: RunStart = {
    runId,
    agent: handle.agent,
    startedAt: Date.now(),
    cwd: path.resolve(request.cwd ?? '.'),
    model: request.model ?? defaults?.model,
    resumes: request.resume === 'latest' ? undefined : request.resume,
    fork: request.fork,
  };
  const recorder = createRecorder({ store, start, onFailure: (error) => onStoreFailure?.(error) });

  const record = async (): Promise<Completion> => {
    for await (const event of handle.events) {
      recorder.push(event);
      onEvent?.(event);
    }
    const completion = await handle.completion;
    ended.abort();
    await recorder.close();
    return completion;
  };

  void bringAnswers(handle, store, ended.signal);
  return { handle, start, done: record() };
}

/** Tells the agent what somebody decided; false when it no longer waits for it. */
export function applyAnswer(handle: RunHandle, id: string, answer: ApprovalAnswer): boolean {
  if (answer.type === 'approve') {
    const { changes, removals = [], remember } = answer;
    const removed = removals.map((pointer) => [pointer, undefined] as const);
    const isChanged = changes !== undefined || removed.length > 0;
    return handle.approve(id, {
      ...(isChanged && { changes: { ...changes, ...Object.fromEntries(removed) } }),
      remember,
    });
  }
  if (answer.type === 'answer') return handle.answer(id, answer.answers);
  return handle.deny(id, answer.message, { interrupt: answer.interrupt });
}

function receive(handle: RunHandle, id: string, answer: ApprovalAnswer): Reception {
  try {
    return applyAnswer(handle, id, answer) ? 'accepted' : 'late';
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** Answers given in other processes. A store that fails brings none; the run itself does not depend on it. */
async function bringAnswers(handle: RunHandle, store: Store | Promise<Store>, signal: AbortSignal): Promise<void> {
  try {
    const opened = await store;
    for await (const { id, answer } of opened.decisions(handle.runId, { signal })) {
      // Said before the event of the answer can be written, which would look as if another one had won.
      await opened.acknowledge(handle.runId, id, receive(handle, id, answer));
    }
  } catch {
    // The recorder has reported it.
  }
}
