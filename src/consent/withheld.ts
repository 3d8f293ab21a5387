/** Whether more than a word of what would be done is withheld as a secret, so that nobody who is asked can read it. */
import type { Edit } from '../event/index.js';
import { textOf } from './apply-edit.js';
import type { ApprovalRequest } from './consent.js';
import type { Compared } from './differences.js';
import { hidesText, hidesWords } from './hides-words.js';
import type { Redact } from './mask-lines.js';
import { textsBeside } from './rest.js';

type Asked = Pick<ApprovalRequest, 'command' | 'commandAt' | 'edits' | 'input'>;

/** `compared`: how files would change, where that was looked at. */
export function withholdsWords(asked: Asked, compared: Compared | undefined, redact: Redact): boolean {
  const { command, edits = [], input } = asked;
  const shown = compared?.differences.filter(({ notShown }) => notShown === undefined) ?? [];
  const isLoose = (edit: Edit) => !shown.some(({ path }) => path === edit.path);
  const loose = edits.filter(isLoose).flatMap(({ after, diff }) => [textOf(after, input), textOf(diff, input)]);
  return (
    (command !== undefined && hidesWords(command, redact(command))) ||
    compared?.hidesWords === true ||
    [...loose, ...textsBeside(asked)].some((text) => text !== undefined && hidesText(text, redact(text)))
  );
}
