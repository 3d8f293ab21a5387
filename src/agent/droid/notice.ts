/** The notices of a Droid session: deltas, whole messages that repeat them, tools, usage and the end of a turn. */
import { type Attachment, defined, type ErrorFacts, type Loose, type SessionFacts } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import { faultOf } from '../fault.js';
import { anyString, type Json, list, lookUp, members, number, objects, string } from '../field.js';
import { mcpServersOf } from '../mcp-servers.js';
import { HINTS } from './fault.js';
import type { Tools } from './tools.js';
import { creditsOf, usageOf } from './usage.js';

export interface Notices {
  /** False when this version does not know it. */
  read(notice: Json): boolean;
  /** What was told about the session before it was open. */
  facts(): SessionFacts;
}

interface Turns {
  begin(): void;
  resolve(approvalId: string, option: string | undefined): void;
  attachedTo(text: string): Attachment[] | undefined;
}

export function createNotices(chronicle: Chronicle, tools: Tools, turns: Turns): Notices {
  let facts: SessionFacts = {};
  let answer: string | undefined;
  let error: ErrorFacts | undefined;
  /** Blocks whose deltas were seen: of others only the whole message tells the text. */
  const growing = new Set<string>();

  const readers: Readonly<Record<string, (notice: Json) => void>> = {
    mcp_status_changed: ({ servers }) =>
      learn({
        mcpServers: mcpServersOf(servers),
      }),
    settings_updated({ settings }) {
      const { modelId, autonomyLevel } = members(settings);
      learn({ model: string(modelId), permissionMode: string(autonomyLevel) });
    },
    session_title_updated: ({ title }) => learn({ title: string(title) }),
    create_message: ({ message }) => readMessage(members(message)),
    assistant_text_delta: (notice) => addText('text', notice),
    assistant_text_complete: (notice) => endText('text', notice),
    thinking_text_delta: (notice) => addText('thinking', notice),
    thinking_text_complete: (notice) => endText('thinking', notice),
    tool_call: ({ toolUse }) => {
      const { id, name, input } = members(toolUse);
      turns.begin();
      // It is announced with nothing in it, and comes again when the model has written it.
      const isWritten = Object.keys(members(input)).length > 0;
      tools.start(anyString(id) ?? '', string(name) ?? 'tool', isWritten ? input : undefined);
    },
    tool_progress_update({ toolUseId, update }) {
      const text = string(members(update).text);
      if (text !== undefined) chronicle.continueTool({ type: 'tool-progress', id: anyString(toolUseId) ?? '', text });
    },
    tool_result({ toolUseId, content, isError }) {
      tools.end(anyString(toolUseId) ?? '', content, isError === true);
    },
    session_token_usage_changed({ lastCallTokenUsage }) {
      const { inputTokens, cacheReadTokens, cacheWriteTokens } = usageOf(lastCallTokenUsage) ?? {};
      if (inputTokens === undefined) return;
      const contextTokens = inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
      chronicle.write({ type: 'usage-update', contextTokens });
    },
    permission_resolved: ({ requestId, selectedOption }) =>
      turns.resolve(anyString(requestId) ?? '', string(selectedOption)),
    error({ message, error: inner }) {
      error = faultOf(string(message) ?? string(members(inner).message) ?? 'Droid failed.', HINTS);
      chronicle.write({ type: 'agent-error', fatal: true, ...error });
    },
    agent_turn_completed({ reason, tokenUsage, childTokenUsage, durationMs }) {
      const credits = creditsOf(tokenUsage, childTokenUsage);
      if (credits) chronicle.write(credits);
      const children = usageOf(childTokenUsage);
      const facts = {
        text: answer,
        usage: addUsage(usageOf(tokenUsage), children),
        usageCovers: children && ('all' as const),
        durationMs: number(durationMs),
        reason: string(reason),
      };
      if (reason === 'cancelled') chronicle.endTurn({ ...facts, outcome: 'interrupted' });
      else if (reason === 'completed' && !error) chronicle.endTurn({ ...facts, outcome: 'success' });
      else
        chronicle.endTurn({ ...facts, outcome: 'failed', error: error ?? faultOf(`The turn ended: ${reason}`, HINTS) });
      answer = undefined;
      error = undefined;
      growing.clear();
    },
    droid_working_state_changed() {},
    tool_execution_phase_changed() {},
  };

  function learn(news: Loose<SessionFacts>): void {
    if (chronicle.sessionId === undefined) facts = { ...facts, ...defined<SessionFacts>(news) };
    else chronicle.startSession(undefined, news);
  }

  function addText(kind: 'text' | 'thinking', { messageId, blockIndex, textDelta }: Json): void {
    const text = string(textDelta);
    if (text === undefined) return;
    turns.begin();
    growing.add(`${messageId} ${blockIndex}`);
    chronicle.addText(kind, anyString(messageId) ?? '', number(blockIndex) ?? 0, text);
  }

  function endText(kind: 'text' | 'thinking', { messageId, blockIndex }: Json): void {
    if (growing.delete(`${messageId} ${blockIndex}`))
      chronicle.endText(kind, anyString(messageId) ?? '', number(blockIndex) ?? 0);
  }

  function readMessage({ id, role, content, visibility, modelId }: Json): void {
    const messageId = anyString(id) ?? '';
    // What only the model may see is not said by anybody.
    if (visibility === 'llm_only') return;
    turns.begin();
    if (role === 'assistant') endMessage(messageId, content, string(modelId));
    else if (role === 'user') {
      const text = textIn(content);
      if (text !== '' && !tools.readReport(messageId, text))
        chronicle.write({ type: 'user-message', text, messageId, attachments: turns.attachedTo(text) });
    }
  }

  function endMessage(messageId: string, content: unknown, model: string | undefined): void {
    list(content).forEach((entry, index) => {
      const block = members(entry);
      if (block.type === 'text') chronicle.endText('text', messageId, index, anyString(block.text));
      else if (block.type === 'thinking') chronicle.endText('thinking', messageId, index, anyString(block.thinking));
      else if (block.type === 'tool_use')
        tools.start(anyString(block.id) ?? '', string(block.name) ?? 'tool', block.input ?? {}, messageId);
    });
    chronicle.endMessage(messageId, { model });
    answer = textIn(content) || answer;
  }

  return {
    read(notice) {
      const read = lookUp(readers, string(notice.type));
      read?.(notice);
      return read !== undefined;
    },
    facts: () => facts,
  };
}

function textIn(content: unknown): string {
  return objects(content)
    .flatMap((block) => (block.type === 'text' ? (anyString(block.text) ?? []) : []))
    .join('\n');
}
