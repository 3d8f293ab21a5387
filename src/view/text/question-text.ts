/** What the prompt shows besides the question itself: the fields of a form, and everything that the agent told about a request. */
import { type ApprovalRequest, type Field, wholeInput } from '../../consent/index.js';
import { partRows, type RowOptions } from './consent-rows.js';

/** The answer to "why": the reason, and the input as it is, to its end. */
export function reasonRows(request: ApprovalRequest, options: RowOptions): string[] {
  const { reason } = request;
  const input = wholeInput(request);
  return [
    reason ? 'It asks because:' : 'The agent gives no reason.',
    ...partRows(reason ? [{ kind: 'field', name: '', text: reason }] : [], options),
    ...(input.length > 0 ? ['The whole input:', ...partRows(input, options)] : []),
  ];
}

export function fieldRows({ title, header, description, choices }: Field, options: RowOptions): string[] {
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
