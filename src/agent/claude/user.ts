/** `user` lines: tool results, prompts of sub-agents, and text that the agent says to itself (pitfall 17). */

import type { Asks } from '../claude-lines/asks.js';
import { contentAttachments, contentText } from '../claude-lines/content.js';
import type { Messages } from '../claude-lines/messages.js';
import type { OpenTools } from '../claude-lines/open-tools.js';
import { type Json, object, objects, string } from '../field.js';
import type { Scribe } from '../scribe.js';
import { createTaskList } from './task-list.js';
import { backgroundTask, exitCode, fileChange, resultStatus, withoutMark } from './tool-result.js';
import { PLAN_ENTER, PLAN_EXIT } from './tools.js';

export interface UserLines {
  read(line: Json): void;
}

export interface UserLineNeeds {
  scribe: Scribe;
  tools: OpenTools;
  asks: Asks;
  messages: Messages;
  /** The line tells that a person interrupted the turn. */
  onInterrupt(): void;
}

export function createUserLines({ scribe, tools, asks, messages, onInterrupt }: UserLineNeeds): UserLines {
  const taskList = createTaskList();

  const readToolResult = (block: Json, line: Json, parent: string | undefined): void => {
    const id = string(block.tool_use_id);
    if (id === undefined) return;
    const tool = tools.get(id);
    const structured = line.tool_use_result;
    const failed = block.is_error === true;
    const output = (failed ? string(block.error) : undefined) ?? contentText(block.content);
    const meta = objects(line.tool_result_meta).find((entry) => entry.id === id);
    const status = resultStatus({ failed, output, tool, structured, meta, asked: asks.isPending(id) });
    asks.settle(id, status === 'denied', tool?.card === false ? output : undefined);
    const attachments = contentAttachments(block.content);
    const taskId = backgroundTask(tool, structured);
    const said = failed ? withoutMark(output) : output;
    const ending = { status, output: said, attachments, exitCode: exitCode(tool, failed, output), taskId };
    if (!tools.end(id, ending, parent) || !tool) return;
    // A sub-agent that goes on in the background goes on speaking.
    if (taskId === undefined) messages.end(id);
    if (status !== 'ok') {
      // A plan or a question that nobody was asked about: no card shows that it failed.
      if (status === 'failed' && !tool.card) {
        scribe.write({ type: 'status', code: 'not-asked', text: output, level: 'warning' }, { parent });
      }
      return;
    }
    if (tool.name === PLAN_ENTER) scribe.write({ type: 'plan-mode', state: 'enter', toolId: id }, { parent });
    else if (tool.name === PLAN_EXIT) scribe.write({ type: 'plan-mode', state: 'exit', toolId: id }, { parent });
    const todos = taskList.read(tool, output, structured);
    if (todos) scribe.write(todos);
    const change = fileChange(tool, structured);
    if (change) scribe.write(change, { parent: tool.parent });
  };

  const readText = (content: unknown, line: Json, parent: string | undefined): void => {
    const text = contentText(content);
    const attachments = contentAttachments(content);
    if (text === '' && !attachments) return;
    const interrupted = text.startsWith('[Request interrupted by user');
    if (interrupted && parent === undefined) onInterrupt();
    const synthetic = line.isSynthetic === true || interrupted || text.startsWith('<local-command-') || undefined;
    const replay = line.isReplay === true || undefined;
    scribe.write(
      { type: 'user-message', text, messageId: string(line.uuid), synthetic, replay, attachments },
      { parent },
    );
  };

  return {
    read(line) {
      const parent = string(line.parent_tool_use_id);
      const content = object(line.message)?.content;
      const rest: Json[] = [];
      for (const block of objects(content)) {
        if (block.type === 'tool_result') readToolResult(block, line, parent);
        else rest.push(block);
      }
      readText(typeof content === 'string' ? content : rest, line, parent);
    },
  };
}
