/** Writes `session/update` notices: chunks of speech, tool calls, plans, news about the session. */
import type { Cost, Todo } from '../../event/index.js';
import type { BlockKind, Chronicle } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import type { ToolCalls } from './tools.js';

export interface UpdateWriter {
  /** The agent's latest words, which are the answer once the turn is over. */
  answer: string | undefined;
  /** False when this version does not know the update. */
  write(update: Json, parent?: string): boolean;
  /** Nothing more is said under the open message. */
  endMessage(): void;
  /** The open message was broken off; whoever ends the turn closes it as partial. */
  breakMessage(): void;
}

export function createUpdateWriter(chronicle: Chronicle, tools: ToolCalls): UpdateWriter {
  /** Chunks have no end of their own: a message goes on until something else comes. */
  let open:
    | { id: string; wireId: string | undefined; kind: BlockKind; parts: string[]; parent: string | undefined }
    | undefined;
  let messages = 0;

  const writer: UpdateWriter = {
    answer: undefined,
    write(update, parent) {
      const write = lookUp(updates, string(update.sessionUpdate));
      write?.(update, parent);
      return write !== undefined;
    },
    endMessage() {
      const ended = open;
      writer.breakMessage();
      if (ended) chronicle.endMessage(ended.id);
    },
    breakMessage() {
      if (open?.kind === 'text' && open.parent === undefined) writer.answer = open.parts.join('');
      open = undefined;
    },
  };

  function say(kind: BlockKind, { content, messageId }: Json, parent: string | undefined): void {
    const wireId = string(messageId);
    if (open && (open.kind !== kind || open.wireId !== wireId || open.parent !== parent)) writer.endMessage();
    if (!open) {
      messages += 1;
      // An id may come back after a tool call; ours never do.
      open = { id: `message-${messages}`, wireId, kind, parts: [], parent };
    }
    const { text } = readContent([content]);
    open.parts.push(text);
    chronicle.addText(kind, open.id, 0, text, parent);
  }

  const updates: Readonly<Record<string, (update: Json, parent: string | undefined) => void>> = {
    agent_message_chunk: (update, parent) => say('text', update, parent),
    agent_thought_chunk: (update, parent) => say('thinking', update, parent),
    user_message_chunk(update, parent) {
      chronicle.write({ type: 'user-message', text: readContent([update.content]).text, replay: true }, parent);
    },
    tool_call(update, parent) {
      writer.endMessage();
      tools.write(update, parent);
    },
    tool_call_update(update, parent) {
      writer.endMessage();
      tools.write(update, parent);
    },
    plan({ entries }, parent) {
      const todos = objects(entries).map(
        ({ content, status }): Todo => ({
          text: anyString(content) ?? '',
          status: status === 'completed' ? 'done' : status === 'in_progress' ? 'active' : 'pending',
        }),
      );
      chronicle.write({ type: 'todo-update', todos }, parent);
    },
    available_commands_update({ availableCommands }, parent) {
      const commands = objects(availableCommands).flatMap(({ name }) => string(name) ?? []);
      chronicle.write({ type: 'session-update', commands }, parent);
    },
    current_mode_update({ currentModeId }, parent) {
      chronicle.write({ type: 'session-update', permissionMode: string(currentModeId) }, parent);
    },
    config_option_update({ configOptions }, parent) {
      const model = objects(configOptions).find(({ category }) => category === 'model');
      if (model) chronicle.write({ type: 'session-update', model: string(model.currentValue) }, parent);
    },
    session_info_update({ title }, parent) {
      chronicle.write({ type: 'session-update', title: string(title) }, parent);
    },
    usage_update({ used, size, cost }, parent) {
      chronicle.write(
        {
          type: 'usage-update',
          contextTokens: number(used),
          contextLimit: number(size),
          cost: costOf(cost),
        },
        parent,
      );
    },
    notice({ title, severity }, parent) {
      const level = severity === 'info' ? 'info' : 'warning';
      chronicle.write({ type: 'status', code: 'notice', text: string(title), level }, parent);
    },
    compaction_update({ status, error }, parent) {
      if (status === 'in_progress') chronicle.startCompaction({}, parent);
      else chronicle.endCompaction({ error: string(error) }, parent);
    },
    compaction_summary_chunk() {},
  };

  return writer;
}

/** Zero is what an agent says when it knows no price. */
export function costOf(value: unknown): Cost | undefined {
  const { amount, currency } = members(value);
  const usd = currency === 'USD' ? number(amount) : undefined;
  return usd ? { usd, scope: 'session', origin: 'reported' } : undefined;
}
