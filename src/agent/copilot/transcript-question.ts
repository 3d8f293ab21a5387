/** What Copilot asks the person at its terminal: its file has a line when it asks and one when that is over, with the same id (1.0.102). */
import type { Awaited } from '../../presence/evidence.js';
import { type Json, members, string } from '../field.js';
import { createOpenQuestions, type OpenQuestions } from '../open-questions.js';

interface Questions extends Pick<OpenQuestions, 'last'> {
  see(type: string, data: Json, at: number): void;
}

const ASKING =
  /^(permission|user_input|elicitation|exit_plan_mode|auto_mode_switch|session_limits_exhausted)\.(requested|completed)$/;

export function createQuestions(): Questions {
  const questions = createOpenQuestions();
  return {
    see(type, data, at) {
      if (ENDS.test(type)) questions.clear();
      const [, what, step] = ASKING.exec(type) ?? [];
      const id = string(data.requestId);
      if (what === undefined || id === undefined) return;
      if (step === 'requested') questions.ask(id, { kind: kindOf(what), text: wordsOf(data), at });
      else questions.settle(id);
    },
    last: questions.last,
  };
}

const ENDS = /^(user\.message|abort|session\.(start|resume|shutdown|error)|assistant\.turn_end)$/;

function kindOf(what: string): Awaited['kind'] {
  if (what === 'permission') return 'approval';
  return what === 'user_input' || what === 'elicitation' ? 'question' : 'dialog';
}

function wordsOf({ permissionRequest, question, message, summary }: Json): string {
  const { fullCommandText, path, fileName, url, toolName, intention, kind } = members(permissionRequest);
  const told = [fullCommandText, fileName, path, url, toolName, intention, question, message, summary, kind];
  return told.map(string).find((words) => words !== undefined && words !== '') ?? 'an answer';
}
