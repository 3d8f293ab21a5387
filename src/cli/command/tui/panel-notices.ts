/** Tells a person who looks elsewhere what happens in the panels: the title says what waits, the bell rings and a program is told when something begins to wait or ends. */
import type { EndReason } from '../../../event/index.js';
import type { Owner } from '../../../store/index.js';
import { groupOf, type Listed, nameOf } from '../../../view/panels/index.js';
import { nameOf as agentName, endWords, waitingWords, workingWords } from '../../notice/notice-words.js';
import type { Notifier } from '../../notice/notifier.js';
import type { TerminalNotice } from '../../notice/terminal-notice.js';

export interface PanelNotices {
  /** All sessions that are listed now. */
  see(listed: readonly Listed[]): void;
}

export interface ToldOf {
  /** Undefined where nobody wants to be told. */
  terminal?: Pick<TerminalNotice, 'title' | 'call'> | undefined;
  notifier?: Pick<Notifier, 'tell'> | undefined;
  /** Whether the program is to hear of a run of this process here; whoever else runs one may tell it by itself. */
  isToBeTold?: (owner: Owner | undefined) => boolean;
}

/** What was so when they were opened is in the title, and rings nobody. */
export function createPanelNotices({ terminal, notifier, isToBeTold = () => true }: ToldOf): PanelNotices {
  let before: Seen | undefined;
  let title = '';
  return {
    see(listed) {
      const now = seenIn(listed);
      const news = before ? newsBetween(before, now) : [];
      before = now;
      const words = titleOf(now) ?? '';
      const call = news.find(({ facts }) => !('outcome' in facts && facts.outcome === 'cancelled'))?.words;
      if (call !== undefined) terminal?.call(call);
      // A call has left its words there.
      if ((call !== undefined || words !== title) && words !== '') terminal?.title(words);
      title = words;
      for (const { facts, about } of news) {
        if (!isToBeTold(about.owner)) continue;
        const { agent, session, run } = about;
        notifier?.tell({ ...facts, agent: agentName(agent), run, session });
      }
    },
  };
}

interface About {
  agent: string;
  session: string;
  run: string;
  owner: Owner | undefined;
}

interface Told {
  /** In words, ours alone. */
  words: string;
  about: About;
  /** For programs. */
  facts: object;
}

interface Seen {
  /** What is asked, by its name, the oldest first. */
  asked: ReadonlyMap<string, Told>;
  /** What is at work, by its session. */
  live: ReadonlyMap<string, About>;
  ended: ReadonlyMap<string, Told>;
}

function seenIn(listed: readonly Listed[]): Seen {
  const questions = listed.flatMap((one) => one.questions.map((question) => ({ one, question })));
  questions.sort((a, b) => a.question.request.at - b.question.request.at);
  const isEnded = (one: Listed) => groupOf(one) === 'ended';
  return {
    asked: new Map(
      questions.map(({ one, question }) => {
        const { request, runId } = question;
        const about = aboutOf(one, runId);
        const facts = { state: 'waiting', for: request.kind, ...(request.toolKind && { tool: request.toolKind }) };
        return [nameOf(question), { words: waitingWords(about.agent, request), about, facts }];
      }),
    ),
    live: new Map(listed.filter((one) => !isEnded(one)).map((one) => [one.session.id, aboutOf(one)])),
    ended: new Map(listed.filter(isEnded).map((one) => [one.session.id, endOf(one)])),
  };
}

function aboutOf({ session: { id, agent, runs } }: Listed, runId?: string): About {
  const run = runs.find((one) => one.runId === runId) ?? runs.at(-1);
  return { agent, session: id, run: run?.runId ?? '', owner: run?.owner };
}

function endOf(one: Listed): Told {
  const outcome = one.session.runs.at(-1)?.outcome;
  const about = aboutOf(one);
  const facts = { state: 'ended', ...(outcome !== undefined && { outcome }) };
  return { words: endWords(about.agent, outcome as EndReason), about, facts };
}

/** What waits goes before what has ended. Whose an ended one was is known from before. */
function newsBetween(before: Seen, now: Seen): Told[] {
  const asked = [...now.asked].filter(([name]) => !before.asked.has(name)).map(([, told]) => told);
  const over = [...now.ended].flatMap(([id, told]) => {
    const was = before.live.get(id);
    return was ? [{ ...told, about: { ...told.about, owner: was.owner } }] : [];
  });
  return [...asked, ...over];
}

function titleOf({ asked, live }: Seen): string | undefined {
  const [oldest] = asked.values();
  if (oldest !== undefined) return asked.size === 1 ? oldest.words : `${asked.size} questions wait for you`;
  const [one] = live.values();
  return one === undefined ? undefined : live.size === 1 ? workingWords(one.agent) : `${live.size} agents are here`;
}
