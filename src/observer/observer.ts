/**
 * Sees what the sessions of this machine do, whoever started them: looks at what agents' programs write about themselves, at their
 * conversations and at the processes, and hands the evidence to the judge. It writes nothing and asks no program.
 */
import { watch as watchFolder } from 'node:fs';
import { judge, type Presence } from '../presence/index.js';
import { createLook, type Look } from './look.js';
import { type Heard, type Known, keyOf, type LookOptions, type ObserverOptions, type Seen } from './session.js';

export interface Observer {
  /** Sessions that are live or were seen to be, and those that are asked for. */
  look(options?: LookOptions): Promise<Seen[]>;
  addEvidence(heard: Heard): void;
  /** Whoever watches looks again now. */
  refresh(): void;
  /** What `look` sees, at once and whenever one of them changes. */
  watch(options: ObserveOptions): AsyncGenerator<Seen[], void, undefined>;
}

export interface ObserveOptions {
  signal: AbortSignal;
  everyMs?: number;
  /** Sessions to be looked at too, asked for at each look. */
  also?: () => readonly Known[];
}

/** Processes tell nobody when they stop or die, so they are looked at this often; what they write is heard at once. */
const EVERY_MS = 400;
/** While a question is likely: as often as it tells something new. */
const PRESSING_MS = 150;

export function createObserver(options: ObserverOptions): Observer {
  const look: Look = createLook(options);
  const heard = new Map<string, Heard>();
  let wake = (): void => {};

  async function lookNow({ also = [], thorough = false }: LookOptions = {}): Promise<Seen[]> {
    const hooked = [...heard.values()].map(({ evidence, ...known }) => ({ ...known, evidence: [evidence] }));
    const found = await look.read([...also, ...hooked], thorough);
    return found.map(({ evidence, ...session }) => ({ ...session, presence: judge(evidence) }));
  }

  return {
    look: lookNow,
    addEvidence(news) {
      heard.delete(keyOf(news));
      heard.set(keyOf(news), news);
      const [oldest] = heard.keys();
      if (heard.size > MOST_HEARD && oldest !== undefined) heard.delete(oldest);
      wake();
    },
    refresh: () => wake(),
    async *watch({ signal, everyMs = EVERY_MS, also = () => [] }) {
      let isNews = false;
      const ring = (): void => {
        isNews = true;
        wake();
      };
      const stop = watchFolders(look.folders, ring);
      signal.addEventListener('abort', ring);
      let shown = '';
      try {
        while (!signal.aborted) {
          isNews = false;
          const seen = await lookNow({ also: also() });
          const state = JSON.stringify(
            seen.map(({ agent, sessionId, presence }) => [agent, sessionId, answerOf(presence)]),
          );
          if (state !== shown) yield seen;
          shown = state;
          if (isNews) continue;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, look.isPressing ? Math.min(PRESSING_MS, everyMs) : everyMs);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
      } finally {
        stop();
        signal.removeEventListener('abort', ring);
      }
    },
  };
}

const MOST_HEARD = 1000;

/** What was seen is news when the answer or who says it is another; that somebody looked again is none. */
function answerOf({ state, for: awaited, since, because, against }: Presence): unknown[] {
  return [state, awaited?.text, since, [...because, ...against].map(({ says, text }) => [says, text])];
}

/** A folder that is not there yet, or cannot be watched, is looked at in turn all the same. */
function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders.flatMap((folder) => {
    try {
      const watcher = watchFolder(folder, { persistent: false }, onChange);
      watcher.on('error', () => {});
      return [watcher];
    } catch {
      return [];
    }
  });
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
