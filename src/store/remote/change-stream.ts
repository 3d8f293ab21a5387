/** What a hub tells about runs that changed, while somebody listens; a line that breaks or is silent for too long is begun again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../shell/engine.js';

export interface ChangeStream {
  /** Without changes when some may have been missed. */
  start(heard: (changes: readonly Change[]) => void): void;
  stop(): void;
}

/** The hub says something at least every 15 seconds. */
const SILENT_MS = 40_000;
const AGAIN_MS = 500;

export function createChangeStream(url: string, headers: Record<string, string>): ChangeStream {
  let stopping: AbortController | undefined;

  return {
    start(heard) {
      stopping = new AbortController();
      void listen(heard, stopping.signal);
    },
    stop() {
      stopping?.abort();
      stopping = undefined;
    },
  };

  async function listen(heard: (changes: readonly Change[]) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow(heard, signal);
      } catch {}
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  async function follow(heard: (changes: readonly Change[]) => void, signal: AbortSignal): Promise<void> {
    const line = new AbortController();
    const leave = (): void => line.abort();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    // A signal that reaches the request through others may be collected on its way (Node 20), and the line would hold the process for ever.
    line.signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
    signal.addEventListener('abort', leave, { once: true });
    let timer = setTimeout(leave, SILENT_MS);
    try {
      const response = await fetch(url, { headers, signal: line.signal, redirect: 'error' });
      if (!response.ok || !response.body) return;
      reader = response.body.getReader();
      let rest = '';
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(leave, SILENT_MS);
        const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) {
          // The first one is empty: from here on nothing is missed, and before it something may have been.
          if (message.startsWith('data: ') && !signal.aborted) heard(JSON.parse(message.slice(6)) as Change[]);
        }
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      leave();
    }
  }
}
