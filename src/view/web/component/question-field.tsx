/** One question with its options, and room for an answer of one's own. */
import type { Question } from '../../../event/index.js';
import { visible } from '../text/visible.js';

export function QuestionField({ name, question }: { name: string; question: Question }) {
  const { question: text, header, options = [], multiple = false } = question;
  return (
    <fieldset class="question">
      <legend>
        {header && <span class="chip">{visible(header)}</span>} {visible(text)}
      </legend>
      {options.map(({ label, description }, index) => (
        <label key={label} class="option">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            value={label}
            defaultChecked={!multiple && index === 0}
          />
          <span>
            {visible(label)}
            {description && <span class="faint option-text">{visible(description)}</span>}
          </span>
        </label>
      ))}
      <input
        class="text-field"
        name={`${name}-other`}
        aria-label={options.length > 0 ? 'Another answer' : 'Answer'}
        placeholder={options.length > 0 ? 'Or in your own words' : 'Your answer'}
      />
    </fieldset>
  );
}
