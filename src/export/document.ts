/** A session as a document: what a reader needs of it, in order, in no format yet. */
import type { AgentEvent, Attachment } from '../event/index.js';
import {
  entryAt,
  initialState,
  type Row,
  reduce,
  type SessionState,
  selectConversation,
  selectCost,
  selectUsage,
  values,
} from '../session/index.js';

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
  const parts = selectConversation(state).flatMap((row) => partOf(row, state));
  return { title, facts: factsOf(events, state), parts };
}

function factsOf(events: readonly AgentEvent[], state: SessionState): string[] {
  const runs = [...values(state.runs.rows)];
  const first = events[0];
  const cost = selectCost(state).session;
  const usage = selectUsage(state).main;
  const tokens = (usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
  return [
    first?.agent,
    runs.at(-1)?.facts.model,
    runs.at(-1)?.facts.cwd,
    first && new Date(first.at).toISOString().replace('T', ' ').slice(0, 16),
    cost && `${cost.origin === 'lower-bound' ? 'at least ' : ''}$${cost.usd.toFixed(4)}`,
    usage && `${tokens.toLocaleString('en')} tokens in, ${(usage.outputTokens ?? 0).toLocaleString('en')} out`,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '');
}

function partOf(row: Row, state: SessionState): Part[] {
  const { depth } = row;
  if (row.kind === 'user') {
    if (row.content.replay) return [];
    const text = [...values(row.content.blocks)].map((block) => block.text).join('\n');
    if (text === '') return [];
    return [row.content.synthetic ? { kind: 'note', text, level: 'quiet', depth } : { kind: 'prompt', text, depth }];
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
    return [{ kind: 'tool', title, status, input: printed, output, diffs, images: imagesOf(attachments), depth }];
  }
  if (row.kind === 'turn') {
    const error = row.content.end?.error;
    return error ? [{ kind: 'note', text: error.message, level: 'error', depth }] : [];
  }
  if (row.kind === 'event' && (row.content.type === 'agent-error' || row.content.type === 'warning')) {
    return [{ kind: 'note', text: row.content.message, level: 'warning', depth }];
  }
  if (row.kind === 'event' && row.content.type === 'gap') {
    return [
      { kind: 'note', text: `Events ${row.content.from} to ${row.content.to} are missing.`, level: 'warning', depth },
    ];
  }
  return [];
}

/** Only what an image can be; anything else in a data address could be a page. */
function imagesOf(attachments: readonly Attachment[] | undefined): string[] {
  return (attachments ?? []).flatMap(({ mimeType, data }) =>
    data !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(mimeType ?? '') && /^[A-Za-z0-9+/=]+$/.test(data)
      ? [`data:${mimeType};base64,${data}`]
      : [],
  );
}
