/**
 * Kimi Code's sessions on disk: `<workspace>/<session>/agents/main/wire.jsonl` is what its loop did, `agents/<agent>` the same of sub-agents,
 * `<session>/state.json` where. It is told as the messages that `kimi -p` prints; that prints one turn and ends, so each turn is told by a
 * process of its own.
 */
import { defined, type Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import { faultOf } from '../fault.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { createOpenQuestions } from '../open-questions.js';
import { createRetelling } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createStreamProtocol } from './stream.js';
import { trace } from './trace.js';

const NAME = /(?<![^/])(session_[\w-]+)\/(agents\/([\w-]+)\/wire\.jsonl|state\.json)$/;

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: NAME,
  identify(path) {
    const [, sessionId, file, agent] = NAME.exec(path) ?? [];
    if (sessionId === undefined) return undefined;
    if (file === 'state.json') return { sessionId, part: 'state', isDocument: true };
    return agent === undefined || agent === 'main' ? { sessionId } : { sessionId, part: agent };
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(createStreamProtocol);
  const subAgents = createSubAgents(retelling, createReader);
  let state: Json = {};
  let isIntroduced = false;
  let usage: Usage | undefined;
  const questions = createOpenQuestions();
  /** What the model says in the step that goes on, until a result or the end of the step shows that it is whole. */
  let step: { content: Json[]; calls: Json[] } = { content: [], calls: [] };

  const entries: Readonly<Record<string, (entry: Json, at: number) => void>> = {
    'turn.prompt'({ input }, at) {
      questions.clear();
      endTurn('unknown', undefined, at);
      introduce(at);
      retelling.userSaid(textOf(input), at);
      retelling.tell({ role: 'meta', type: 'system.version' }, at);
    },
    'context.append_loop_event'({ event }, at) {
      const body = members(event);
      lookUp(events, string(body.type))?.(body, at);
    },
    'usage.record'({ usage: told }) {
      usage = addUsage(usage, usageOf(members(told)));
    },
    'interaction.request'({ id, kind, request }, at) {
      const { action, question, questions: several, toolName } = members(request);
      const words = [action, question, objects(several)[0]?.question, toolName].map(string);
      const text = words.find((one) => one !== undefined) ?? 'an answer';
      questions.ask(string(id), { kind: kind === 'approval' ? 'approval' : 'question', text, at });
    },
    'interaction.resolved': ({ id }) => questions.settle(string(id)),
    'turn.ended'({ reason, error }, at) {
      questions.clear();
      endTurn(string(reason), error, at);
    },
  };

  const events: typeof entries = {
    'content.part'({ part }) {
      step.content.push(members(part));
    },
    'tool.call'({ toolCallId, name, args }) {
      const call = { name, arguments: JSON.stringify(args ?? {}) };
      step.calls.push({ type: 'function', id: toolCallId, function: call });
    },
    'tool.result'({ toolCallId, result }, at) {
      speak(at);
      const { output } = members(result);
      const content = typeof output === 'string' ? output : objects(output);
      const [, agent] = /^agent_id: ([\w-]+)$/m.exec(typeof output === 'string' ? output : textOf(output)) ?? [];
      const call = string(toolCallId);
      if (agent !== undefined && call !== undefined) {
        subAgents.adopt(agent, call);
        subAgents.finish(agent);
      }
      retelling.tell({ role: 'tool', tool_call_id: toolCallId, content }, at);
    },
    'step.end': (_, at) => speak(at),
  };

  function introduce(at: number): void {
    if (!isIntroduced)
      retelling.introduce(string(state.id), { cwd: string(state.cwd), title: string(state.title) }, at);
    isIntroduced = true;
  }

  function speak(at: number): void {
    const { content, calls } = step;
    step = { content: [], calls: [] };
    if (content.length + calls.length === 0) return;
    retelling.tell({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }, at);
  }

  function endTurn(reason: string | undefined, error: unknown, at: number): void {
    if (!retelling.inTurn) return;
    speak(at);
    const spent = usage;
    usage = undefined;
    const outcome = reason === 'completed' ? 'success' : reason === 'unknown' ? 'unknown' : outcomeOf(reason);
    const message = string(members(error).message) ?? anyString(error) ?? 'Kimi failed.';
    retelling.tell({ role: 'meta', type: 'session.resume_hint', session_id: state.id }, at, (end) => {
      end.usage = spent;
      subAgents.charge(end);
      end.outcome = outcome;
      if (outcome === 'failed') end.error = faultOf(message);
      if (outcome === 'interrupted') end.text = undefined;
    });
    retelling.close();
  }

  const origin = () => {
    const forkOf = string(state.forkedFrom);
    return forkOf === undefined ? {} : { forkOf };
  };

  return {
    receive(value, part) {
      const entry = members(value);
      if (part === 'state') state = entry;
      else if (part !== undefined) subAgents.receive(part, value, number(entry.time));
      // A copy begins with the past of another session, which keeps its times.
      else if (
        (number(entry.time) ?? 0) >= (string(state.forkedFrom) === undefined ? 0 : (number(state.createdAt) ?? 0))
      )
        lookUp(entries, string(entry.type))?.(entry, number(entry.time) ?? retelling.lastAt);
      return retelling.take();
    },
    origin,
    end() {
      endTurn('unknown', undefined, retelling.lastAt);
      return { moments: retelling.take(), ...questions.last(), ...origin() };
    },
  };
}

const outcomeOf = (reason: string | undefined) =>
  /^(cancel|abort|interrupt)/.test(reason ?? '') ? ('interrupted' as const) : ('failed' as const);

const usageOf = ({ inputOther, output, inputCacheRead, inputCacheCreation }: Json): Usage =>
  defined({
    inputTokens: number(inputOther),
    outputTokens: number(output),
    cacheReadTokens: number(inputCacheRead),
    cacheWriteTokens: number(inputCacheCreation),
  });

const textOf = (parts: unknown): string =>
  objects(parts)
    .flatMap(({ text }) => anyString(text) ?? [])
    .join('\n');
