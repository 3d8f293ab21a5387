/** A session as a document: what a reader needs of it, in order, in no format yet. */
import { changeTexts, decisionText, saidText } from '../consent/index.js';
import { type AgentEvent, type Attachment, defined, type EventOf, type Usage, withoutColours } from '../event/index.js';
import { inputTokens, tellMoney } from '../ledger/index.js';
import {
  type Approval,
  entryAt,
  initialState,
  isInterruptToldBefore,
  isRunEndTold,
  type Row,
  type Run,
  reduce,
  rowAt,
  type SessionState,
  type ShownEvent,
  selectConversation,
  selectCost,
  selectUsage,
  values,
} from '../session/index.js';
import { attachmentText, capitalised, eventText, runEndText } from '../word/index.js';

export interface Document {
  title: string;
  /** One line of facts: agent, model, project, time, cost. */
  facts: string[];
  parts: Part[];
}

export type Part = TextPart | ToolPart | NotePart;

interface Placed {
  /** 0 in the main conversation, one more for each sub-agent around it. */
  depth: number;
}

/** Whose words a prompt has: a sub-agent is told what to do by the agent, not by a person. */
export const speakerOf = ({ depth }: Placed): string => (depth === 0 ? 'You' : 'The agent to its sub-agent');

export interface TextPart extends Placed {
  kind: 'prompt' | 'answer' | 'thinking';
  text: string;
  partial?: boolean;
}

export interface ToolPart extends Placed {
  kind: 'tool';
  title: string;
  status: string;
  input?: string;
  output?: string;
  diffs: string[];
  images: string[];
}

export interface NotePart extends Placed {
  kind: 'note';
  text: string;
  level: 'quiet' | 'warning' | 'error';
}

export function createDocument(events: readonly AgentEvent[], title: string): Document {
  const state = events.reduce(reduce, initialState);
  const rows = selectConversation(state);
  const parts = rows.flatMap((row, index) =>
    isToldElsewhere(row, rows[index - 1], rows[index + 1]) ? [] : partOf(row, state),
  );
  return { title, facts: factsOf(events, state), parts };
}

/** Some agents put it into words that they were interrupted, right before the end of the turn that says so. */
function isToldElsewhere(row: Row, before: Row | undefined, next: Row | undefined): boolean {
  if (isInterruptToldBefore(row, before)) return true;
  if (row.kind !== 'user' || row.content.synthetic !== true || next?.kind !== 'turn') return false;
  return next.content.end?.outcome === 'interrupted';
}

function factsOf(events: readonly AgentEvent[], state: SessionState): string[] {
  const runs = [...values(state.runs.rows)];
  const first = events[0];
  const cost = selectCost(state).session;
  const usage = selectUsage(state).total;
  return [
    first?.agent,
    runs.at(-1)?.facts.model,
    runs.at(-1)?.facts.cwd,
    first && new Date(first.at).toISOString().replace('T', ' ').slice(0, 16),
    cost ? tellMoney(cost) : usage && 'cost unknown',
    usage && tokensText(usage),
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '');
}

function tokensText(usage: Usage): string {
  return [
    `${inputTokens(usage).toLocaleString('en')} tokens in`,
    usage.outputTokens !== undefined && `${usage.outputTokens.toLocaleString('en')} out`,
    usage.lacks && 'without sub-agents',
  ]
    .filter(Boolean)
    .join(', ');
}

function partOf(row: Row, state: SessionState): Part[] {
  const { depth } = row;
  if (row.kind === 'user') {
    if (row.content.replay) return [];
    const text = [...values(row.content.blocks)].map((block) => block.text).join('\n');
    if (text === '') return [];
    if (row.content.synthetic) return [{ kind: 'note', text, level: 'quiet', depth }];
    const given = (row.content.attachments ?? []).map(attachmentText);
    const attached = given.map((one): Part => ({ kind: 'note', text: `Attached: ${one}`, level: 'quiet', depth }));
    return [{ kind: 'prompt', text, depth }, ...attached];
  }
  if (row.kind === 'text' || row.kind === 'thinking') {
    const { text, partial, retracted } = row.content;
    if (text === '' || retracted) return [];
    return [{ kind: row.kind === 'text' ? 'answer' : 'thinking', text, ...(partial && { partial }), depth }];
  }
  if (row.kind === 'tool') {
    const { name, summary, status, input, output, attachments, changes } = row.content;
    const diffs = changes ? [...values(changes)].flatMap((number) => entryAt(state.changes, number)?.diff ?? []) : [];
    const title = [name, summary].filter(Boolean).join(': ');
    const printed = input === undefined ? undefined : JSON.stringify(input, null, 2);
    const approval = rowAt(state.approvals, row.content.approval);
    const part = defined<ToolPart>({
      kind: 'tool',
      title,
      status,
      input: printed,
      output: output && withoutColours(output),
      diffs,
      images: imagesOf(attachments),
      depth,
    });
    return [...(approval ? decided(approval, depth) : []), part];
  }
  if (row.kind === 'approval') return decided(row.content, depth, subjectOf(row.content));
  if (row.kind === 'turn') {
    const { error, outcome } = row.content.end ?? {};
    if (error)
      return [{ kind: 'note', text: error.message, level: outcome === 'interrupted' ? 'warning' : 'error', depth }];
    return outcome === 'unknown' ? [{ kind: 'note', text: UNKNOWN, level: 'warning', depth }] : [];
  }
  if (row.kind === 'event')
    return isTold(row.content) ? [{ kind: 'note', text: noteText(row.content), level: 'warning', depth }] : [];
  if (row.kind === 'run') return isRunEndTold(row.content) ? runEnd(row.content, depth) : [];
  row.kind satisfies 'task' | 'hook';
  return [];
}

function runEnd({ end }: Run, depth: number): Part[] {
  if (end === undefined) return [];
  const level = end.reason === 'cancelled' ? 'warning' : 'error';
  return [{ kind: 'note', text: runEndText(end, end.error?.message ?? end.detail), level, depth }];
}

/** Of what happened beside the conversation a document tells only what somebody must know. */
function isTold(event: ShownEvent): boolean {
  switch (event.type) {
    case 'agent-error':
    case 'warning':
    case 'gap':
      return true;
    default:
      event satisfies EventOf<Untold>;
      return false;
  }
}

// biome-ignore format: to be read at one glance
type Untold =
  | 'retry' | 'rate-limit' | 'compaction-end' | 'status' | 'plan-mode' | 'permission-deny' | 'session-change' | 'decode-error';

function noteText(event: ShownEvent): string {
  const text = eventText(event);
  return event.type === 'gap' ? `${capitalised(text)}.` : text;
}

/** What was decided about a question, by whom, and what was said with it. */
function decided({ request, resolution }: Approval, depth: number, subject = ''): Part[] {
  if (resolution === undefined || request.kind === 'hook') return [];
  const words = [
    decisionText(resolution),
    subject,
    saidText(request, resolution),
    ...changeTexts(resolution.changes ?? {}),
  ];
  return [{ kind: 'note', text: words.filter(Boolean).join(' · '), level: 'quiet', depth }];
}

function subjectOf({ request: { questions = [], toolName, title, kind } }: Approval): string {
  return questions.map(({ question }) => question).join(' · ') || (title ?? toolName ?? kind);
}

const UNKNOWN = 'The turn ended without a result.';

/** Only what an image can be; anything else in a data address could be a page. */
function imagesOf(attachments: readonly Attachment[] | undefined): string[] {
  return (attachments ?? []).flatMap(({ mimeType, data }) =>
    data !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(mimeType ?? '') && /^[A-Za-z0-9+/=]+$/.test(data)
      ? [`data:${mimeType};base64,${data}`]
      : [],
  );
}
