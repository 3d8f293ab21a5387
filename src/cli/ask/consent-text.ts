/** What the prompt shows besides the question itself: the fields of a form, and everything that the agent told about a request. */
import { type Field, wholeInput } from '../../consent/index.js';
import type { ApprovalRequest } from '../../run/index.js';
import { partRows } from '../../view/text/index.js';

interface Options {
  width: number;
  color: boolean;
}

/** The answer to "why": the reason, and the input as it is, to its end. */
export function reasonRows(request: ApprovalRequest, options: Options): string[] {
  const { reason } = request;
  const input = wholeInput(request);
  return [
    reason ? 'It asks because:' : 'The agent gives no reason.',
    ...partRows(reason ? [{ kind: 'field', name: '', text: reason }] : [], options),
    ...(input.length > 0 ? ['The whole input:', ...partRows(input, options)] : []),
  ];
}

export function fieldRows({ title, header, description, choices }: Field, options: Options): string[] {
  const about = [header === undefined || header === title ? title : `${header}: ${title}`, description].filter(Boolean);
  const lines = choices.map(
    ({ label, description: more }, index) => `${index + 1}  ${label}${more ? `: ${more}` : ''}`,
  );
  return partRows(
    [
      { kind: 'prose', text: about.join('\n') },
      ...(lines.length > 0 ? [{ kind: 'field' as const, name: '', text: lines.join('\n') }] : []),
    ],
    options,
  );
}
