/** `user` lines: tool results, prompts of sub-agents, and text that the agent says to itself. */
import type { Chronicle } from '../chronicle/chronicle.js';
import { contentAttachments, contentText } from '../claude-lines/content.js';
import type { Speech } from '../claude-lines/speech.js';
import { type Json, object, objects, string } from '../field.js';
import { createTaskList } from './todo.js';
import {
  backgroundTask,
  exitCode,
  fileChange,
  PLAN_ENTER,
  PLAN_EXIT,
  resultStatus,
  shownAnswer,
  withoutMark,
} from './tools.js';

export interface UserLines {
  read(line: Json): void;
}

export interface UserLineNeeds {
  chronicle: Chronicle;
  speech: Speech;
  /** Whether this version of the program does, once it has told which it is. */
  marksRefusals(): boolean;
  /** The line tells that a person interrupted the turn. */
  onInterrupt(): void;
}

export function createUserLines({ chronicle, speech, marksRefusals, onInterrupt }: UserLineNeeds): UserLines {
  const taskList = createTaskList();

  const readToolResult = (block: Json, line: Json, parent: string | undefined): void => {
    const id = string(block.tool_use_id);
    if (id === undefined) return;
    const tool = chronicle.tool(id);
    const structured = line.tool_use_result;
    const failed = block.is_error === true;
    const output = (failed ? string(block.error) : undefined) ?? contentText(block.content);
    const meta = objects(line.tool_result_meta).find((entry) => entry.id === id);
    const asked = chronicle.isAsked(id);
    const facts = { failed, output, tool, structured, meta, asked, marksRefusals: marksRefusals() && !parent };
    const status = resultStatus(facts);
    const attachments = contentAttachments(block.content);
    const taskId = backgroundTask(tool, structured);
    const said = failed ? withoutMark(output) : output;
    const ending = { status, output: said, attachments, exitCode: exitCode(tool, failed, output), taskId };
    if (!chronicle.endTool(id, ending, parent, shownAnswer(facts)) || !tool) return;
    // A sub-agent that goes on in the background goes on speaking.
    if (taskId === undefined) speech.end(id);
    if (status !== 'ok') {
      // A plan or a question that nobody was asked about: no card shows that it failed.
      if (status === 'failed' && tool.isHidden) {
        chronicle.write({ type: 'status', code: 'not-asked', text: output, level: 'warning' }, parent);
      }
      return;
    }
    if (tool.name === PLAN_ENTER) chronicle.write({ type: 'plan-mode', state: 'enter', toolId: id }, parent);
    else if (tool.name === PLAN_EXIT) chronicle.write({ type: 'plan-mode', state: 'exit', toolId: id }, parent);
    const todos = taskList.read(tool, output, structured);
    if (todos) chronicle.write(todos);
    const change = fileChange(tool, structured);
    if (change) chronicle.write(change, tool.parent);
  };

  const readText = (content: unknown, line: Json, parent: string | undefined): void => {
    const text = contentText(content);
    const attachments = contentAttachments(content);
    if (text === '' && !attachments) return;
    const interrupted = text.startsWith('[Request interrupted by user');
    if (interrupted && parent === undefined) onInterrupt();
    const synthetic = line.isSynthetic === true || interrupted || text.startsWith('<local-command-') || undefined;
    const replay = line.isReplay === true || undefined;
    chronicle.write(
      { type: 'user-message', text, messageId: string(line.uuid), synthetic, replay, attachments },
      parent,
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
