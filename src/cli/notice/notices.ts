/** Tells a person who looks elsewhere that an agent waits or has ended: by the terminal, and by a program of the person's own. */
import type { AgentEvent, EndReason } from '../../event/index.js';
import type { Settings } from '../../run/index.js';
import { note } from '../print/note.js';
import type { Printer, Remarks } from '../print/printer.js';
import { endWords, nameOf, waitingWords, workingWords } from './notice-words.js';
import { createNotifier } from './notifier.js';
import { createTerminalNotice } from './terminal-notice.js';

/** Of which run. */
export interface About {
  agent: string;
  runId: string;
  /** The short id of its session, where it is kept. */
  session?: () => Promise<string | undefined>;
  /** Whether the question is still open: a rule may have answered it, or nobody is there to be asked. */
  isOpen?: (id: string) => boolean;
}

export interface Notices {
  see(events: readonly AgentEvent[], about: About): void;
  /** Nothing more of it will come. */
  ended(reason: EndReason, about: About): void;
  /** Puts the title back. Resolves when everybody was told. */
  close(): Promise<void>;
}

export interface NoticesOptions {
  process: NodeJS.Process;
  settings?: Pick<Settings, 'notices' | 'notify'>;
  /** Goes before the settings. */
  notify?: readonly string[] | undefined;
  remarks?: Remarks;
}

export function createNotices({ process, settings = {}, notify, remarks = process.stderr }: NoticesOptions): Notices {
  const terminal = settings.notices === false ? undefined : createTerminalNotice(process);
  const notifier = createNotifier(notify ?? settings.notify ?? [], process, (text) => note(remarks, text));
  /** What waits, by run and question. */
  const open = new Map<string, string>();
  const telling: Promise<void>[] = [];
  let isAtWork = false;

  /** After the session's name is known, which may take a moment; the terminal does not need it. */
  function tell({ agent, runId, session }: About, news: object): void {
    const said = async () => {
      const id = await session?.().catch(() => undefined);
      notifier.tell({ ...news, agent: nameOf(agent), run: runId, ...(id !== undefined && { session: id }) });
    };
    telling.push(said());
  }

  function work(agent: string): void {
    if (open.size > 0 || isAtWork) return;
    isAtWork = true;
    terminal?.title(workingWords(agent));
  }

  return {
    see(events, about) {
      for (const event of events) {
        if (event.type === 'approval-request' && (about.isOpen?.(event.id) ?? true)) {
          const words = waitingWords(about.agent, event);
          open.set(`${event.runId} ${event.id}`, words);
          isAtWork = false;
          terminal?.call(words);
          tell(about, { state: 'waiting', for: event.kind, ...(event.toolKind && { tool: event.toolKind }) });
        } else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') {
          open.delete(`${event.runId} ${event.id}`);
        }
      }
      const [still] = open.values();
      if (still === undefined) work(about.agent);
      else if (events.length > 0) terminal?.title(still);
    },
    ended(reason, about) {
      for (const key of [...open.keys()]) if (key.startsWith(`${about.runId} `)) open.delete(key);
      isAtWork = false;
      terminal?.call(endWords(about.agent, reason));
      tell(about, { state: 'ended', outcome: reason });
    },
    async close() {
      terminal?.[Symbol.dispose]();
      await Promise.all(telling);
      await notifier.close();
    },
  };
}

/** The printer, whose events are also seen. */
export function noticing(printer: Printer, notices: Notices, about: About): Printer {
  return {
    ...printer,
    print(events) {
      notices.see(events, about);
      return printer.print(events);
    },
  };
}
