/**
 * Entries of a transcript as the lines that the program prints: the same words in another spelling.
 *
 * What the stream does not know is left out: attachments, snapshots of requests, bookkeeping.
 */
import { contentText } from '../claude-lines/content.js';
import { type Json, lookUp, number, object, objects, string } from '../field.js';

/** The line for an entry, or none. `parent`: the tool call whose sub-agent speaks. */
export function lineOf(entry: Json, parent: string | undefined): Json | undefined {
  const make = lookUp(LINES, string(entry.type));
  const line = make?.(entry);
  return line && { ...line, session_id: entry.sessionId, uuid: entry.uuid, parent_tool_use_id: parent ?? null };
}

/** The conversation from which an entry was copied, where it tells in which one it was said (2.1.325). */
export function copiedOf({ session_id, sessionId }: Json): string | undefined {
  const said = string(session_id);
  return sessionId === undefined || said === sessionId ? undefined : said;
}

/** Somebody said something new to the agent, and a turn begins. */
export function isPrompt(entry: Json): boolean {
  if (entry.type !== 'user' || entry.isMeta === true || entry.isCompactSummary === true) return false;
  const { content } = object(entry.message) ?? {};
  if (objects(content).some((block) => block.type === 'tool_result')) return false;
  return !isInterruption(entry) && !isLocal(contentText(content));
}

/** Somebody ended the turn. */
export function isInterruption({ type, message }: Json): boolean {
  return type === 'user' && contentText(object(message)?.content).startsWith('[Request interrupted by user');
}

/** What the program puts between two prompts when it goes on with a conversation that was interrupted: no model said it. */
export function isFiller({ type, message }: Json): boolean {
  const { model, content } = object(type === 'assistant' ? message : undefined) ?? {};
  return model === '<synthetic>' && contentText(content) === 'No response requested.';
}

/** The turn was ended because it had taken as many steps as it may; with how many these are. */
export function limitIn(entry: Json): number | undefined {
  const { type, maxTurns } = object(entry.attachment) ?? {};
  return type === 'max_turns_reached' ? number(maxTurns) : undefined;
}

/** Title that a person or the program gave the conversation. A `summary` is none: it may be of another one. */
export function titleOf(entry: Json): string | undefined {
  if (entry.type === 'custom-title') return string(entry.customTitle);
  return entry.type === 'ai-title' ? (string(entry.aiTitle) ?? string(entry.title)) : undefined;
}

const LINES: Record<string, (entry: Json) => Json | undefined> = {
  assistant: (entry) => ({
    type: 'assistant',
    message: entry.message,
    is_api_error_message: entry.isApiErrorMessage,
    error: string(entry.error),
    api_error_status: number(entry.apiErrorStatus),
  }),
  user(entry) {
    const message = object(entry.message) ?? {};
    const command = commandOf(contentText(message.content));
    const synthetic = entry.isMeta === true || entry.isCompactSummary === true || command !== undefined;
    return {
      type: 'user',
      message: command === undefined ? message : { ...message, content: command },
      tool_use_result: entry.toolUseResult,
      tool_result_meta: refusalsIn(entry, message.content),
      ...(synthetic && { isSynthetic: true }),
    };
  },
  attachment(entry) {
    const attachment = object(entry.attachment);
    if (attachment?.type !== 'queued_command') return undefined;
    return { type: 'user', message: { role: 'user', content: attachment.prompt } };
  },
  system(entry) {
    const subtype = string(entry.subtype);
    return lookUp(SYSTEM_LINES, subtype)?.(entry);
  },
};

const said = (entry: Json): Json => ({ type: 'system', subtype: entry.subtype, content: entry.content });

const SYSTEM_LINES: Record<string, (entry: Json) => Json> = {
  compact_boundary(entry) {
    const facts = object(entry.compactMetadata) ?? {};
    const compact = {
      trigger: facts.trigger,
      pre_tokens: facts.preTokens,
      post_tokens: facts.postTokens,
      duration_ms: facts.durationMs,
    };
    return { type: 'system', subtype: 'compact_boundary', compact_metadata: compact };
  },
  api_error: (entry) => ({
    type: 'system',
    subtype: 'api_retry',
    attempt: entry.retryAttempt,
    max_retries: entry.maxRetries,
    retry_delay_ms: entry.retryInMs,
    error_status: object(entry.error)?.status,
    error: string(object(entry.error)?.type),
  }),
  informational: said,
  model_fallback: said,
  model_refusal_fallback: said,
  model_refusal_no_fallback: said,
};

/** Why calls did not run, in the spelling of the stream. */
function refusalsIn({ toolDenialKind, permissionDecision }: Json, content: unknown): Json[] | undefined {
  if (toolDenialKind === undefined && permissionDecision === undefined) return undefined;
  const told = {
    ...(toolDenialKind !== undefined && { non_execution_kind: toolDenialKind }),
    ...(permissionDecision !== undefined && { permission_decision: permissionDecision }),
  };
  return objects(content).flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [{ id, ...told }] : []));
}

/** Commands of the program itself, which it never sends to the model. */
function isLocal(text: string): boolean {
  return /^<(local-command-|command-|bash-)/.test(text.trimStart());
}

/** `<command-name>/compact</command-name>… <command-args>keep it</command-args>` → `/compact keep it` */
function commandOf(text: string): string | undefined {
  const [, name] = /<command-name>([^<]*)<\/command-name>/.exec(text) ?? [];
  const [, args = ''] = /<command-args>([^<]*)<\/command-args>/.exec(text) ?? [];
  return name === undefined ? undefined : `${name} ${args}`.trim();
}
