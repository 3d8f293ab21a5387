/** Reads `droid exec --output-format stream-json`: whole messages only, thoughts twice, and after a failure no completion. */
import type { ErrorFacts } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { anyString, type Json, members, number, string, strings } from '../field.js';
import { byType, createPrintOnlyProtocol } from '../print-only.js';
import { HINTS } from './fault.js';
import { createTools, TOOLS } from './tools.js';
import { creditsOf, usageOf } from './usage.js';

export function createStreamProtocol(request: Partial<CommandRequest>): Protocol {
  const chronicle = createChronicle(TOOLS);
  const tools = createTools(chronicle);
  /** The message that was begun by a thought; what it says may come later. */
  let thinking: string | undefined;
  let error: ErrorFacts | undefined;

  const lines: Readonly<Record<string, (line: Json) => void>> = {
    system({ session_id, cwd, tools: names, model }) {
      const id = string(session_id);
      const resumed = request.resume === undefined ? undefined : true;
      chronicle.startSession(id, { cwd: string(cwd), tools: strings(names), model: string(model), resumed });
      chronicle.tellFork(request);
    },
    message({ role, id, text }) {
      const messageId = anyString(id) ?? '';
      chronicle.startTurn();
      if (role === 'assistant') {
        if (messageId === thinking) chronicle.continueMessage(messageId);
        thinking = undefined;
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
        usageCovers: 'all',
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
        usageCovers: 'all',
        steps: number(num_turns),
        durationMs: number(duration_ms),
      });
    },
  };

  const read = byType(lines);

  // The prompt comes back as a line of the stream.
  return createPrintOnlyProtocol(chronicle, {
    read(line, bytes, value) {
      if (thinking !== undefined && line.id !== thinking) chronicle.endMessage(thinking);
      return read(line, bytes, value);
    },
    end() {
      if (error) chronicle.endTurn({ outcome: 'failed', error });
      chronicle.end();
    },
  });
}
