/** Amp's stream: five kinds of Claude-like lines, whole messages without ids, and one result for all turns. */
import type { Draft, ErrorFacts, Usage } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createDispatch } from '../claude-lines/dispatch.js';
import { createSessionId } from '../claude-lines/session-id.js';
import { createSpeech } from '../claude-lines/speech.js';
import { splitUserContent } from '../claude-lines/tool-lines.js';
import { createTurns } from '../claude-lines/turns.js';
import { readUsage } from '../claude-lines/usage.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { type Json, number, object, objects, string, strings } from '../field.js';
import { createScribe } from '../scribe.js';
import { todosOf } from './todo.js';
import { fileChanges, readResult, toolTable } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const scribe = createScribe();
  const turns = createTurns(scribe);
  const speech = createSpeech({ scribe, table: toolTable });
  const { messages, tools } = speech;
  const session = createSessionId(scribe, request);
  /** Then the one result comes when the input is closed, and each turn ends with the last word of its answer. */
  const isConversation = request.mode === 'conversation';
  let send: string[] = [];
  let introduced = false;
  let lines = 0;
  let usage: Usage = {};
  let answer: string | undefined;

  const step = (): Step => {
    const sent = send;
    send = [];
    return { events: scribe.take(), send: sent };
  };

  const endTurn = (end: Pick<TurnEnd, 'outcome' | 'text' | 'error' | 'durationMs' | 'steps'>): void => {
    messages.endAll();
    const turn = turns.end(undefined);
    tools.close(end.outcome === 'interrupted' ? 'cancelled' : 'unknown', () => true);
    const counted = Object.keys(usage).length > 0 ? usage : undefined;
    scribe.write({ type: 'turn-end', ...end, usage: counted }, { turn });
    usage = {};
    answer = undefined;
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    turns.ensure();
    const message = object(line.message) ?? {};
    const parent = string(line.parent_tool_use_id);
    speech.assistant({ message, fallbackId: `message-${lines}`, parent }, bytes);
    // A line is a whole message here, so nothing can follow it.
    messages.end(parent);
    if (parent !== undefined) return;
    usage = addUsage(usage, readUsage(message.usage, true));
    const blocks = objects(message.content);
    const text = blocks.findLast((block) => block.type === 'text')?.text;
    // What is said beside a tool call is no answer: the turn goes on.
    const goesOn = blocks.some((block) => block.type === 'tool_use');
    answer = typeof text === 'string' && !goesOn ? text : undefined;
    if (isConversation && message.stop_reason === 'end_turn') endTurn({ outcome: 'success', text: answer });
  };

  const readUser = (line: Json): void => {
    const parent = string(line.parent_tool_use_id);
    const { results, text } = splitUserContent(object(line.message)?.content);
    for (const result of results) {
      const tool = tools.get(result.id);
      const { structured, ...ending } = readResult(result);
      if (!tools.end(result.id, ending, parent) || !tool || ending.status !== 'ok') continue;
      for (const change of fileChanges(tool, structured)) scribe.write(change, { parent: tool.parent });
      if (tool.name === 'todo_write') {
        scribe.write({ type: 'todo-update', todos: todosOf(tool.input?.todos) }, { parent: tool.parent });
      }
    }
    if (text === '') return;
    if (parent === undefined) {
      // The result comes only at the very end: the next prompt shows that the turn before it was answered.
      if (answer !== undefined) endTurn({ outcome: 'success', text: answer });
      turns.ensure();
    }
    scribe.write({ type: 'user-message', text }, { parent });
  };

  const readResultLine = (line: Json): void => {
    const failed = line.is_error === true || string(line.subtype)?.startsWith('error') === true;
    if (isConversation && !failed && !turns.isOpen()) return;
    const error = failed ? errorOf(string(line.error) ?? 'The turn failed.') : undefined;
    endTurn({
      outcome: !error ? 'success' : error.category === 'interrupted' ? 'interrupted' : 'failed',
      text: typeof line.result === 'string' ? line.result : undefined,
      error,
      durationMs: number(line.duration_ms),
      steps: number(line.num_turns),
    });
  };

  const read = createDispatch(scribe, session, {
    system(line, bytes) {
      if (line.subtype !== 'init') {
        scribe.write({ type: 'unknown', wireType: 'system', wireSubtype: string(line.subtype), bytes });
        return;
      }
      if (introduced) return;
      introduced = true;
      scribe.write({
        type: 'session-start',
        cwd: string(line.cwd),
        tools: strings(line.tools),
        mcpServers: objects(line.mcp_servers).map((server) => ({
          name: string(server.name) ?? '',
          status: string(server.status),
        })),
        permissionMode: string(line.agent_mode),
        resumed: request.resume === undefined ? undefined : true,
      });
    },
    assistant: readAssistant,
    user: readUser,
    result: readResultLine,
  });

  const say = (text: string): void => {
    send.push(JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } }));
  };

  return {
    start() {
      // The prompt comes back as a line of the stream, so it is not told here.
      if (isConversation && request.prompt !== undefined) say(request.prompt);
      if (request.permission !== undefined && request.permission !== 'bypass') {
        scribe.write({ type: 'warning', code: 'settings-replaced', message: REPLACED });
      }
      return step();
    },
    receive(value, bytes) {
      read(value, bytes);
      return step();
    },
    act(action) {
      if (request.mode === 'one-shot' || action.type !== 'say') return 'unsupported';
      say(action.text);
      return step();
    },
    end() {
      scribe.source = 'synthetic';
      messages.endAll();
      tools.close('unknown', () => true);
      if (turns.isOpen()) endTurn({ outcome: 'unknown', text: answer });
      return step();
    },
    idle: () => !turns.isOpen(),
  };
}

const REPLACED = 'Amp runs with settings of glassbox instead of your own, so that its tools can be refused.';

type TurnEnd = Extract<Draft, { type: 'turn-end' }>;

function errorOf(message: string): ErrorFacts {
  if (/^User cancelled/.test(message)) return { category: 'interrupted', message: 'Interrupted by the user.' };
  if (/require user approval/.test(message)) {
    return {
      category: 'config',
      message,
      hint: 'Allow the tool in `amp.permissions`, or run with permission `bypass`.',
    };
  }
  return faultOf(message, {
    auth: 'Run `amp login`, or set AMP_API_KEY.',
    billing: 'Check the credit of the account.',
  });
}

function addUsage(sum: Usage, more: Usage | undefined): Usage {
  const total: Usage = { ...sum };
  for (const [key, count] of Object.entries(more ?? {}) as [keyof Usage, number | undefined][]) {
    if (count !== undefined) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}
