/** Keeps runs in the store while they go on, and brings them the answers that somebody gives elsewhere, for example on the page. */
import { redactText } from '../decode/index.js';
import type { GlassboxError } from '../event/index.js';
import type { RunHandle, RunRequest } from '../run/index.js';
import { type ApprovalAnswer, createRecorder, openStore, type Store } from '../store/index.js';
import { note } from './note.js';
import type { KeepFlags } from './store-flag.js';

export interface Keeper {
  /** From now on everything that this run does is kept. */
  keep(handle: RunHandle, request: RunRequest): void;
  /** Resolves when all is written, with the id of the last session; undefined when nothing was kept. */
  close(): Promise<string | undefined>;
}

export function createKeeper({ store: location, noStore }: KeepFlags, stderr: NodeJS.WriteStream): Keeper {
  if (noStore) return { keep() {}, close: async () => undefined };
  const store = openStore(location);
  const running: Promise<void>[] = [];
  let last: RunHandle | undefined;
  let hasFailed = false;

  return {
    keep(handle, request) {
      last = handle;
      running.push(record(handle, request));
    },
    async close() {
      await Promise.all(running);
      const opened = await store.catch(() => undefined);
      const session = hasFailed || !last ? undefined : await opened?.session(last.runId).catch(() => undefined);
      await opened?.close();
      return session?.id;
    },
  };

  async function record(handle: RunHandle, request: RunRequest): Promise<void> {
    const over = new AbortController();
    const recorder = createRecorder({ store, start: startOf(handle, request), onFailure: tell });
    relayAnswers(store, handle, over.signal).catch(() => {});
    for await (const event of handle.events) recorder.push(event);
    over.abort();
    await recorder.close();
  }

  function tell(error: GlassboxError): void {
    if (!hasFailed) note(stderr, `this run is not kept. ${error.message}`);
    hasFailed = true;
  }
}

function startOf({ runId, agent }: RunHandle, { cwd, prompt, model, resume, fork }: RunRequest) {
  return {
    ...{ runId, agent, startedAt: Date.now() },
    ...(cwd !== undefined && { cwd }),
    ...(prompt !== undefined && { prompt: redactText(prompt) }),
    ...(model !== undefined && { model }),
    ...(resume !== undefined && resume !== 'latest' && { resumes: resume }),
    ...(fork && { fork }),
  };
}

async function relayAnswers(store: Promise<Store>, handle: RunHandle, signal: AbortSignal): Promise<void> {
  for await (const { id, answer } of (await store).decisions(handle.runId, { signal })) relay(handle, id, answer);
}

/** An answer that comes too late changes nothing. */
function relay(handle: RunHandle, id: string, answer: ApprovalAnswer): void {
  if (answer.type === 'approve') handle.approve(id, answer);
  else if (answer.type === 'deny') handle.deny(id, answer.message, answer);
  else handle.answer(id, answer.answers);
}
