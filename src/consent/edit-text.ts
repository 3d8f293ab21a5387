/** The edits of a call with their texts, for one that was never asked about: nobody compared it with the files. */
import type { Edit, Loose, Targets } from '../event/index.js';
import { textOf } from './apply-edit.js';

export interface EditText extends Pick<Edit, 'path' | 'kind' | 'to' | 'all'> {
  before: string | undefined;
  after: string | undefined;
  /** Hunks of a unified diff, instead of the two texts. */
  patch: string | undefined;
}

/** Empty when none of them tells a text: then the input says more. */
export function editTexts({
  edits = [],
  input,
}: Readonly<Loose<Pick<Targets, 'edits'>>> & { input?: unknown }): EditText[] {
  const told = edits.map(({ before, after, diff, ...edit }) => ({
    ...edit,
    before: textOf(before, input),
    after: textOf(after, input),
    patch: textOf(diff, input),
  }));
  return told.some(({ after, patch }) => after !== undefined || patch !== undefined) ? told : [];
}
