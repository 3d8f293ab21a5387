/** Reads `droid exec --output-format stream-json`: whole messages only, thoughts twice, and after a failure no completion. */
import type { ErrorFacts } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { anyString, type Json, lookUp, members, number, string, strings } from '../field.js';
import { HINTS } from './hint.js';
import { createTools } from './tool.js';
import { creditsOf, usageOf } from './usage.js';

export function createExecProtocol(request: Partial<CommandRequest>): Protocol {
  const chronicle = createChronicle();
  const tools = createTools(chronicle);
  /** The message that was begun by a thought. */
  let thinking: string | undefined;
  let error: ErrorFacts | undefined;

  const lines: Readonly<Record<string, (line: Json) => void>> = {
    system({ session_id, cwd, tools: names, model }) {
      const { resume: previousId, fork } = request;
      const id = string(session_id);
      const resumed = previousId === undefined ? undefined : true;
      chronicle.startSession(id, { cwd: string(cwd), tools: strings(names), model: string(model), resumed });
      if (fork === true && id !== undefined)
        chronicle.write({ type: 'session-change', previousId, newId: id, reason: 'fork' });
    },
    message({ role, id, text }) {
      const messageId = anyString(id) ?? '';
      chronicle.startTurn();
      if (role === 'assistant') {
        chronicle.endText('text', messageId, 1, anyString(text));
        chronicle.endMessage(messageId);
      } else if (!tools.readReport(messageId, anyString(text) ?? ''))
        chronicle.write({ type: 'user-message', text: anyString(text) ?? '', messageId });
    },
    reasoning({ id, text }) {
      chronicle.startTurn();
      thinking = anyString(id) ?? '';
      chronicle.endText('thinking', thinking, 0, anyString(text));
    },
    // `toolId` is the name of the tool, `id` that of the call.
    tool_call({ id, messageId, toolName, toolId, parameters }) {
      chronicle.startTurn();
      const name = string(toolName) ?? string(toolId) ?? 'tool';
      tools.start(anyString(id) ?? '', name, parameters ?? {}, string(messageId));
    },
    tool_result({ id, value, error: failure, isError }) {
      tools.end(anyString(id) ?? '', value ?? members(failure).message, isError === true);
    },
    error({ message }) {
      // The second one only says that the run failed.
      if (error) return;
      error = faultOf(string(message) ?? 'Droid failed.', HINTS);
      chronicle.write({ type: 'agent-error', fatal: true, ...error });
    },
    completion({ finalText, numTurns, durationMs, usage }) {
      const credits = creditsOf(usage);
      if (credits) chronicle.write(credits);
      chronicle.endTurn({
        outcome: 'success',
        text: anyString(finalText),
        usage: usageOf(usage),
        steps: number(numTurns),
        durationMs: number(durationMs),
      });
      error = undefined;
    },
    /** All that `--output-format json` prints. */
    result({ session_id, is_error, result, num_turns, duration_ms, usage }) {
      chronicle.startSession(string(session_id));
      const failed = is_error === true;
      chronicle.endTurn({
        outcome: failed ? 'failed' : 'success',
        text: failed ? undefined : anyString(result),
        error: failed ? faultOf(string(result) ?? 'Droid failed.', HINTS) : undefined,
        usage: usageOf(usage),
        steps: number(num_turns),
        durationMs: number(duration_ms),
      });
    },
  };

  const step = (): Step => ({ events: chronicle.take(), send: [] });

  return {
    // The prompt comes back as a line of the stream, so it is not told here.
    start: step,
    receive(value, bytes) {
      const line = members(value);
      const type = string(line.type);
      const read = lookUp(lines, type);
      if (thinking !== undefined && line.id !== thinking) {
        chronicle.endMessage(thinking);
        thinking = undefined;
      }
      if (read) read(line);
      else chronicle.write({ type: 'unknown', wireType: type ?? typeof value, bytes });
      return step();
    },
    act: () => 'unsupported',
    end() {
      if (error) chronicle.endTurn({ outcome: 'failed', error });
      chronicle.end();
      return step();
    },
    idle: () => !chronicle.inTurn,
  };
}
