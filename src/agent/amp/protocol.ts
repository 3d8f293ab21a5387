/** Amp's stream: five kinds of Claude-like lines, whole messages without ids, and one result for all turns. */
import type { ErrorFacts, Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import type { Protocol, Step } from '../agent.js';
import { createAttachedWords, type Said } from '../attachment.js';
import { type Body, createChronicle } from '../chronicle/chronicle.js';
import { spokenContent } from '../claude-lines/content.js';
import { converse } from '../claude-lines/conversation.js';
import { createSpeech } from '../claude-lines/speech.js';
import { splitUserContent } from '../claude-lines/tools.js';
import { readUsage } from '../claude-lines/usage.js';
import type { CommandRequest } from '../command.js';
import { faultOf, INTERRUPTED } from '../fault.js';
import { type Json, members, number, object, objects, string, strings } from '../field.js';
import { mcpServersOf } from '../mcp-servers.js';
import { fileChanges, readResult, TOOLS, todosOf } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const speech = createSpeech(chronicle);
  const attached = createAttachedWords();
  /** Then the one result comes when the input is closed, and each turn ends with the last word of its answer. */
  const isConversation = request.mode === 'conversation';
  let send: string[] = [];
  let introduced = false;
  let lines = 0;
  let usage: Usage | undefined;
  let answer: string | undefined;

  const step = (): Step => {
    const sent = send;
    send = [];
    return { events: chronicle.take(), send: sent };
  };

  const endTurn = (end: Body<'turn-end'>): void => {
    chronicle.endTurn({ ...end, usage });
    usage = undefined;
    answer = undefined;
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    chronicle.startTurn();
    const message = object(line.message) ?? {};
    const parent = string(line.parent_tool_use_id);
    speech.assistant({ message, fallbackId: `message-${lines}`, parent }, bytes);
    // A line is a whole message here, so nothing can follow it.
    speech.end(parent);
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
      const tool = chronicle.tool(result.id);
      const { structured, ...ending } = readResult(result);
      if (!chronicle.endTool(result.id, ending, parent) || !tool || ending.status !== 'ok') continue;
      for (const change of fileChanges(tool, structured)) chronicle.write(change, tool.parent);
      if (tool.name === 'todo_write') {
        chronicle.write({ type: 'todo-update', todos: todosOf(members(tool.input).todos) }, tool.parent);
      }
    }
    if (text === '') return;
    if (parent === undefined) {
      // The result comes only at the very end: the next prompt shows that the turn before it was answered.
      if (answer !== undefined) endTurn({ outcome: 'success', text: answer });
      chronicle.startTurn();
    }
    const attachments = parent === undefined ? attached.take(text) : undefined;
    chronicle.write({ type: 'user-message', text, attachments }, parent);
  };

  const readResultLine = (line: Json): void => {
    const failed = line.is_error === true || string(line.subtype)?.startsWith('error') === true;
    if (isConversation && !failed && !chronicle.inTurn) return;
    const error = failed ? errorOf(string(line.error) ?? 'The turn failed.') : undefined;
    endTurn({
      outcome: !error ? 'success' : error.category === 'interrupted' ? 'interrupted' : 'failed',
      text: typeof line.result === 'string' ? line.result : undefined,
      error,
      durationMs: number(line.duration_ms),
      steps: number(line.num_turns),
    });
  };

  const { receive } = converse(chronicle, request, TOOLS, {
    system(line, bytes) {
      if (line.subtype !== 'init') {
        chronicle.write({ type: 'unknown', wireType: 'system', wireSubtype: string(line.subtype), bytes });
        return;
      }
      if (introduced) return;
      introduced = true;
      chronicle.startSession(undefined, {
        cwd: string(line.cwd),
        tools: strings(line.tools),
        mcpServers: mcpServersOf(line.mcp_servers),
        permissionMode: string(line.agent_mode),
        resumed: request.resume === undefined ? undefined : true,
      });
    },
    assistant: readAssistant,
    user: readUser,
    result: readResultLine,
  });

  const say = (said: Said): void => {
    attached.give(said);
    const content = spokenContent(said);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    send.push(JSON.stringify({ type: 'user', message: { role: 'user', content: blocks } }));
  };

  return {
    start() {
      // The prompt comes back as a line of the stream, so it is not told here.
      if (isConversation && request.prompt !== undefined)
        say({ text: request.prompt, attachments: request.attachments });
      if (request.permission !== undefined && request.permission !== 'bypass') {
        chronicle.write({ type: 'warning', code: 'settings-replaced', message: REPLACED });
      }
      return step();
    },
    receive,
    act(action) {
      if (request.mode === 'one-shot' || action.type !== 'say') return 'unsupported';
      say(action);
      return step();
    },
    end() {
      chronicle.end({ outcome: 'unknown', text: answer, usage });
      return step();
    },
    idle: () => !chronicle.inTurn,
  };
}

const REPLACED = 'Amp runs with settings of glassbox instead of your own, so that its tools can be refused.';

function errorOf(message: string): ErrorFacts {
  if (/^User cancelled/.test(message)) return INTERRUPTED;
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
