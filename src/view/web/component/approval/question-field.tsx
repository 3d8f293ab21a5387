/** One question with its options, none of them chosen beforehand, and room for an answer of one's own. */
import type { Field } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';

export function QuestionField({ id, field }: { id: string; field: Field }) {
  const { title, header, choices, isMultiple } = field;
  return (
    <fieldset class="ask-field">
      <legend>
        {header && <span class="chip">{visible(header)}</span>} {visible(title)}
      </legend>
      {choices.map(({ label, description }) => (
        <label key={label} class="option">
          <input type={isMultiple ? 'checkbox' : 'radio'} name={id} value={label} />
          <span>
            {visible(label)}
            {description && <span class="faint option-text">{visible(description)}</span>}
          </span>
        </label>
      ))}
      <input class="text-field" name={`${id}-own`} aria-label="Another answer" placeholder="Or in your own words" />
    </fieldset>
  );
}
