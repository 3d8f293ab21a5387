/** pi's sessions on disk: `<project>/<time>_<session>.jsonl`, the messages of the conversation, told as the events of `--mode json`. */
import { type Json, lookUp, members, number, objects, string } from '../field.js';
import { createRetelling } from '../retelling.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

const NAME = /_([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: NAME,
  identify(path, first) {
    const [, sessionId] = NAME.exec(path) ?? [];
    return sessionId !== undefined && members(first()).type === 'session' ? { sessionId } : undefined;
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(createProtocol);
  /** Why the last model call ended; absent when something has to follow. */
  let ended: { isFailed: boolean; why: unknown } | undefined;
  let retries = 0;
  let model: string | undefined;
  let begun = 0;
  let forkOf: string | undefined;

  const tell = (type: string, body: Json, at: number): void => retelling.tell({ type, ...body }, at);

  const entries: Readonly<Record<string, (entry: Json, at: number) => void>> = {
    session({ id, cwd, parentSession }, at) {
      begun = at;
      forkOf = NAME.exec(string(parentSession) ?? '')?.[1];
      retelling.introduce(string(id), { cwd: string(cwd) }, at);
      tell('session', { id, cwd }, at);
    },
    model_change({ modelId }, at) {
      const name = string(modelId);
      if (name !== undefined && name !== model) retelling.learn({ model: name }, at);
      model = name ?? model;
    },
    session_info({ name }, at) {
      if (string(name) !== undefined) retelling.learn({ title: string(name) }, at);
    },
    compaction({ tokensBefore }, at) {
      tell('compaction_end', { result: { tokensBefore: number(tokensBefore) } }, at);
    },
    message({ message }, at) {
      const body = members(message);
      lookUp(messages, string(body.role))?.(body, at);
    },
  };

  const messages: typeof entries = {
    user(message, at) {
      endTurn();
      if (!retelling.inTurn) tell('agent_start', {}, at);
      tell('message_end', { message }, at);
    },
    assistant(message, at) {
      if (!retelling.inTurn) tell('agent_start', {}, at);
      retry(at);
      tell('message_start', { message: { ...message, content: [] } }, at);
      tell('message_end', { message }, at);
      tell('turn_end', {}, at);
      const { stopReason, errorMessage, content } = message;
      ended = stopReason === 'toolUse' ? undefined : { isFailed: stopReason === 'error', why: errorMessage };
      if (ended) return;
      retries = 0;
      for (const { type, id, name, arguments: args } of objects(content)) {
        if (type === 'toolCall') tell('tool_execution_start', { toolCallId: id, toolName: name, args }, at);
      }
    },
    toolResult({ toolCallId, toolName, content, details, isError }, at) {
      tell('tool_execution_end', { toolCallId, toolName, result: { content, details }, isError }, at);
    },
  };

  /** The model speaks again though nobody said anything: it is asked once more after a failure. */
  function retry(at: number): void {
    if (!ended?.isFailed) return;
    retries += 1;
    tell('agent_end', { willRetry: true }, at);
    tell('auto_retry_start', { attempt: retries, errorMessage: ended.why }, at);
    tell('agent_start', {}, at);
  }

  function endTurn(): void {
    if (!ended || !retelling.inTurn) return;
    ended = undefined;
    retries = 0;
    tell('agent_end', { willRetry: false }, retelling.lastAt);
  }

  const origin = () => (forkOf === undefined ? {} : { forkOf });

  return {
    receive(value) {
      const entry = members(value);
      const at = Date.parse(string(entry.timestamp) ?? '') || retelling.lastAt;
      // A copy begins with the past of another session, which keeps its times.
      if (at >= begun) lookUp(entries, string(entry.type))?.(entry, at);
      return retelling.take();
    },
    settle() {
      endTurn();
      return retelling.take();
    },
    origin,
    end() {
      endTurn();
      retelling.close();
      return { moments: retelling.take(), ...origin() };
    },
  };
}
