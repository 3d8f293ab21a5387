/**
 * What another agent needs to take over a session, made of its typed events and bounded: what was asked, done, decided, and what is open. No
 * dump of the conversation: whoever takes over reads the files.
 */
import { type AgentEvent, replaceHostile, type Todo } from '../event/index.js';
import { attachmentText, shorten } from '../word/index.js';

export interface BriefOptions {
  /** Who did it so far, as people call it. */
  agent: string;
  title: string;
  /** Files that differ from what the session began with, where that is known. */
  changed?: readonly string[] | undefined;
  /** What is to be done now; default: to go on. */
  prompt?: string | undefined;
}

/** Together at most about 65,000 characters. */
const LONGEST = { asked: 1500, words: 2500, line: 300 } as const;
const MOST = { asked: 6, done: 40, decided: 15, files: 80 } as const;

interface Told {
  asked: string[];
  done: Map<string, string>;
  decided: string[];
  todos: readonly Todo[];
  words: string;
  trouble: string | undefined;
}

export function briefOf(events: Iterable<AgentEvent>, { agent, title, changed, prompt }: BriefOptions): string {
  const told = tell(events);
  const open = told.todos.filter(({ status }) => status !== 'done').map(({ text, status }) => `${text} (${status})`);
  const parts = [
    `Take over: ${line(title) || 'the work of another agent'}`,
    `Another agent (${agent}) began this. You see its files as it left them, and below what is known of its work; of its conversation you know nothing else.`,
    section('Asked', told.asked, MOST.asked, (text) => cut(text, LONGEST.asked)),
    section('Done', [...told.done.values()], MOST.done),
    section('Files that it changed', changed ?? [], MOST.files),
    section('Decided', told.decided, MOST.decided),
    section('Open on its list', open, MOST.done),
    told.trouble === undefined ? '' : `## What stopped it\n\n${line(told.trouble)}`,
    told.words === '' ? '' : `## Its last words\n\n${cut(told.words, LONGEST.words)}`,
    `## Now\n\n${prompt ?? 'Go on where it stopped. Look at the files first, and finish what was asked.'}`,
  ];
  return replaceHostile(parts.filter(Boolean).join('\n\n'), '\ufffd');
}

function tell(events: Iterable<AgentEvent>): Told {
  const told: Told = { asked: [], done: new Map(), decided: [], todos: [], words: '', trouble: undefined };
  const questions = new Map<string, string>();
  const kinds = new Map<string, { kind: string; name: string }>();
  for (const event of events) {
    // What sub-agents do is told by what comes of it.
    if (event.parent !== undefined) continue;
    switch (event.type) {
      case 'user-message':
        if (!event.synthetic && !event.replay)
          told.asked.push(
            [event.text, ...(event.attachments ?? []).map((one) => `(with ${attachmentText(one)})`)].join('\n'),
          );
        break;
      case 'tool-start':
        kinds.set(event.id, event);
        break;
      case 'tool-input-end': {
        const { kind = 'other', name = '' } = kinds.get(event.id) ?? {};
        const what = event.command ?? event.summary;
        if (kind === 'execute') told.done.set(event.id, `ran: ${line(what)}`);
        else if (CHANGES.has(kind)) told.done.set(event.id, `${kind}: ${line(event.paths?.join(', ') ?? what)}`);
        else if (kind === 'other' && what !== '') told.done.set(event.id, `${name}: ${line(what)}`);
        break;
      }
      case 'tool-end': {
        const done = told.done.get(event.id);
        if (done !== undefined && event.status !== 'ok') told.done.set(event.id, `${done} (${event.status})`);
        break;
      }
      case 'approval-request':
        questions.set(
          event.id,
          line(event.questions?.[0]?.question ?? event.summary ?? event.title ?? event.toolName ?? event.kind),
        );
        break;
      case 'approval-resolve':
        if (event.decision === 'deny' || event.decision === 'answer')
          told.decided.push(decisionOf(questions.get(event.id) ?? 'a question', event));
        break;
      case 'todo-update':
        told.todos = event.todos;
        break;
      case 'text-end':
        told.words = event.text;
        break;
      case 'turn-end':
        told.words = event.text ?? told.words;
        told.trouble = event.error?.message;
        break;
    }
  }
  return told;
}

const CHANGES: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

function decisionOf(
  asked: string,
  { decision, by, message, answers }: Extract<AgentEvent, { type: 'approval-resolve' }>,
): string {
  const who = by === 'person' ? 'the person' : by;
  const why = message === undefined ? '' : `: ${line(message)}`;
  if (decision === 'deny') return `${asked}: refused by ${who}${why}`;
  return `${asked}: ${who} answered ${answers ? line(Object.values(answers).map(String).join(', ')) : line(message ?? '')}`;
}

/** The last ones are nearest to what is to be done; the first thing that was asked is what it is about. */
function section(title: string, items: readonly string[], most: number, show: (text: string) => string = line): string {
  if (items.length === 0) return '';
  const [first = '', ...rest] = items;
  const kept = items.length <= most ? items : [first, ...rest.slice(1 - most)];
  const left = items.length - kept.length;
  const rows = kept.map((item) => `- ${show(item)}`);
  if (left > 0) rows.splice(1, 0, `- … ${left} more …`);
  return `## ${title}\n\n${rows.join('\n')}`;
}

const line = (text: string): string => shorten(text.replace(/\s+/g, ' ').trim(), LONGEST.line);
const cut = (text: string, longest: number): string => shorten(text.trim(), longest);
