/**
 * Copilot's sessions on disk: `<session>/events.jsonl`, the lines of its stream without those that pass, and with the tokens of each model
 * call, which the stream does not tell.
 */
import { defined, type Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import { type Json, list, members, number, string } from '../field.js';
import { createRetelling } from '../retelling.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';
import { createQuestions } from './transcript-question.js';

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: /(^|\/)[0-9a-f]{8}-[0-9a-f-]{27}\/events\.jsonl$/,
  identify(path, first) {
    const id = path.split('/').at(-2);
    const line = members(first());
    return line.type === 'session.start' && id !== undefined ? { sessionId: id } : undefined;
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(createProtocol);
  let sessionId: string | undefined;
  let usage: Usage | undefined;
  let begun = 0;
  /** Nothing has to follow: the last message called no tool. */
  let isAnswered = false;
  let hasFailed = false;
  const questions = createQuestions();

  function endTurn(isOver: boolean): void {
    if (!retelling.inTurn) return;
    const at = retelling.lastAt;
    const line = { type: 'result', sessionId, exitCode: hasFailed ? 1 : 0, usage: { sessionDurationMs: at - begun } };
    const isKnown = isOver && (isAnswered || hasFailed);
    retelling.tell(line, at, (end) => {
      Object.assign(end, usage && { usage, usageCovers: 'all' });
      // Its last words are missing, and with them how it ended.
      if (!isKnown && end.outcome === 'success') end.outcome = 'unknown';
    });
    usage = undefined;
    hasFailed = false;
  }

  const entries: Readonly<Record<string, (data: Json, line: Json, at: number) => void>> = {
    'session.start'({ sessionId: id, selectedModel, copilotVersion, context }, _, at) {
      sessionId = string(id);
      const facts = { model: string(selectedModel), agentVersion: string(copilotVersion) };
      retelling.introduce(sessionId, { ...facts, cwd: string(members(context).cwd) }, at);
    },
    'session.model_change'({ newModel }, { agentId }, at) {
      const model = string(newModel);
      if (model !== undefined && agentId === undefined) retelling.learn({ model }, at);
    },
    'session.title_changed'({ title }, _, at) {
      if (string(title) !== undefined) retelling.learn({ title: string(title) }, at);
    },
    'session.usage_record'({ usage: told }) {
      usage = addUsage(usage, usageOf(members(told)));
    },
    'session.shutdown': () => endTurn(true),
    'user.message'(_, line, at) {
      const isNew = string(line.agentId) === undefined && (isAnswered || hasFailed);
      if (isNew) endTurn(true);
      if (!retelling.inTurn) begun = at;
      if (isNew) isAnswered = false;
      retelling.tell(line, at);
    },
    'assistant.message'({ toolRequests }, line, at) {
      if (string(line.agentId) === undefined) isAnswered = list(toolRequests).length === 0;
      retelling.tell(line, at);
    },
    'session.error'(_, line, at) {
      hasFailed = true;
      retelling.tell(line, at);
    },
  };

  return {
    receive(value) {
      const line = members(value);
      const type = string(line.type) ?? '';
      const at = Date.parse(string(line.timestamp) ?? '') || retelling.lastAt;
      questions.see(type, members(line.data), at);
      const read = entries[type];
      if (read) read(members(line.data), line, at);
      else if (STREAM.test(type)) retelling.tell(line, at);
      return retelling.take();
    },
    settle() {
      if (isAnswered || hasFailed) endTurn(true);
      return retelling.take();
    },
    end() {
      endTurn(isAnswered);
      retelling.close();
      return { moments: retelling.take(), ...questions.last() };
    },
  };
}

/** What the stream prints too; other lines are for the program itself. */
const STREAM =
  /^(assistant\.(turn_start|turn_end|turn_retry|reasoning)|tool\.execution_(start|complete)|subagent\.\w+|abort|model\.call_failure|session\.(warning|mode_notice_delivered))$/;

/** `inputTokens` counts cached ones too. */
function usageOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }: Json): Usage {
  const [input, read, write] = [number(inputTokens), number(cacheReadTokens), number(cacheWriteTokens)];
  return defined({
    inputTokens: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (write ?? 0)),
    outputTokens: number(outputTokens),
    cacheReadTokens: read,
    cacheWriteTokens: write,
    thinkingTokens: number(reasoningTokens),
  });
}
