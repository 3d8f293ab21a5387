/**
 * Droid's sessions on disk: `<project>/<session>.jsonl` has what was said and done, `<session>.settings.json` the model and the tokens of the
 * whole session. They are told as the lines of `droid exec --output-format stream-json`.
 */
import { anyString, type Json, lookUp, members, objects, string } from '../field.js';
import { createRetelling, type TurnEnd } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createStreamProtocol } from './stream.js';
import { trace } from './trace.js';
import { usageOf } from './usage.js';

const NAME = /(?:^|\/)([0-9a-f]{8}-[0-9a-f-]{27})\.(jsonl|settings\.json)$/;

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: NAME,
  identify(path, first) {
    const [, sessionId, kind] = NAME.exec(path) ?? [];
    if (sessionId === undefined) return undefined;
    if (kind !== 'jsonl') return { sessionId, part: 'settings', isDocument: true };
    const { type, callingSessionId } = members(first());
    if (type !== 'session_start') return undefined;
    const caller = string(callingSessionId);
    return caller === undefined ? { sessionId } : { sessionId: caller, part: sessionId };
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(() => createStreamProtocol({}));
  const subAgents = createSubAgents(retelling, createReader);
  let settings: Json = {};
  let introduction: Json | undefined;
  /** The last message of what a copy begins with, until it was read. */
  let copiedUpTo: string | undefined;
  let forkOf: string | undefined;
  let answer: string | undefined;
  /** What the program told the person and not the model: why it failed. */
  let remark: string | undefined;
  let begun = 0;
  /** How the last turn ended. Tokens are counted for the session, so they belong to the end of its last turn, which waits. */
  let outcome: { isGood: boolean; at: number } | undefined;

  const entries: Readonly<Record<string, (entry: Json, at: number) => void>> = {
    // It has no time of its own.
    session_start(entry) {
      introduction = entry;
      copiedUpTo = string(entry.forkedAtMessageId);
      if (copiedUpTo !== undefined) forkOf = string(entry.parent);
    },
    message({ id, message }, at) {
      if (copiedUpTo !== undefined) {
        if (id === copiedUpTo) copiedUpTo = undefined;
        return;
      }
      introduce(at);
      const { role, content, visibility } = members(message);
      const blocks: readonly Json[] =
        typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
      if (role === 'assistant') for (const block of blocks) speak(id, block, at);
      else hear(id, blocks, visibility, at);
    },
    agent_turn_outcome({ reason }, at) {
      if (retelling.inTurn) outcome = { isGood: reason === 'completed', at };
    },
  };

  function introduce(at: number): void {
    if (!introduction) return;
    const { id, cwd, title } = introduction;
    introduction = undefined;
    retelling.introduce(string(id), { cwd: string(cwd), title: string(title), model: string(settings.model) }, at);
  }

  function speak(id: unknown, block: Json, at: number): void {
    settleTurn();
    if (block.type === 'thinking') retelling.tell({ type: 'reasoning', id, text: block.thinking }, at);
    else if (block.type === 'text') {
      answer = anyString(block.text);
      retelling.tell({ type: 'message', role: 'assistant', id, text: block.text }, at);
    } else if (block.type === 'tool_use') {
      const { id: call, name, input } = block;
      retelling.tell({ type: 'tool_call', id: call, messageId: id, toolName: name, parameters: input }, at);
    }
  }

  function hear(id: unknown, blocks: readonly Json[], visibility: unknown, at: number): void {
    for (const { type, tool_use_id, is_error, content } of blocks) {
      if (type !== 'tool_result') continue;
      const text = typeof content === 'string' ? content : textOf(objects(content));
      const told = is_error === true ? { error: { message: text } } : { value: text };
      retelling.tell({ type: 'tool_result', id: tool_use_id, isError: is_error === true, ...told }, at);
    }
    const text = textOf(blocks.filter((block) => !/^<system-reminder>/.test(anyString(block.text) ?? '')));
    if (text === '') return;
    if (visibility === 'user_only') remark = text;
    else if (/^task-completion:/.test(string(id) ?? '')) {
      // What was begun in the background has ended, and the turn goes on.
      outcome = undefined;
      retelling.tell({ type: 'message', role: 'user', id, text }, at);
    } else {
      settleTurn();
      begun = at;
      retelling.tell({ type: 'message', role: 'user', id, text }, at);
    }
  }

  function settleTurn(isLast = false): void {
    if (!outcome) return;
    const { isGood, at } = outcome;
    outcome = undefined;
    const said = answer;
    const usage = isLast ? usageOf(settings.inclusiveTokenUsage ?? settings.tokenUsage) : undefined;
    const complete = (end: TurnEnd) => {
      if (isGood) end.text ??= said;
      Object.assign(end, usage && { usage, usageCovers: 'all', usageScope: 'session' });
    };
    if (isGood) {
      retelling.tell({ type: 'completion', finalText: answer, durationMs: at - begun }, at, complete);
    } else {
      retelling.tell({ type: 'error', message: complaintIn(remark) }, at);
      retelling.close(complete);
    }
    remark = undefined;
    answer = undefined;
  }

  const origin = () => (forkOf === undefined ? {} : { forkOf });

  return {
    receive(value, part) {
      const entry = members(value);
      if (part === 'settings') {
        settings = entry;
        return [];
      }
      if (part !== undefined) {
        if (string(entry.callingToolUseId) !== undefined) subAgents.adopt(part, string(entry.callingToolUseId) ?? '');
        subAgents.receive(part, entry, Date.parse(string(entry.timestamp) ?? '') || undefined);
        return [];
      }
      const at = Date.parse(string(entry.timestamp) ?? '') || retelling.lastAt;
      if (retelling.inTurn) subAgents.advance(at);
      lookUp(entries, string(entry.type))?.(entry, at);
      return retelling.take();
    },
    settle() {
      settleTurn(true);
      return retelling.take();
    },
    origin,
    end() {
      if (retelling.inTurn) subAgents.finishAll();
      settleTurn(true);
      retelling.close();
      return { moments: retelling.take(), ...origin() };
    },
  };
}

const textOf = (blocks: readonly Json[]): string => blocks.flatMap((block) => anyString(block.text) ?? []).join('\n');

/** The first line says it; what follows is advice. */
const complaintIn = (remark: string | undefined): string | undefined =>
  remark?.split('\n', 1)[0]?.replace(/^BYOK Error: /, '');
