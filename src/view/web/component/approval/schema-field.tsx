/** One field of a form: a choice, a switch, a number or a text. */
import type { Field } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';

const TYPES = { text: 'text', secret: 'password', number: 'number', integer: 'number', boolean: 'checkbox' } as const;

export function SchemaFieldView({ id, field }: { id: string; field: Field }) {
  const { title, description, isRequired, type, choices, initial } = field;
  const label = (
    <span>
      {visible(title)}
      {isRequired && <span aria-hidden="true"> *</span>}
      {description && <span class="faint option-text">{visible(description)}</span>}
    </span>
  );
  if (type === 'boolean') {
    return (
      <label class="option">
        <input type="checkbox" name={id} value="yes" defaultChecked={initial === 'true'} />
        {label}
      </label>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices.length > 0 ? (
        <select id={id} name={id} required={isRequired} defaultValue={initial}>
          {initial === '' && <option value="">Choose…</option>}
          {choices.map((choice) => (
            <option key={choice.label} value={choice.label}>
              {visible(choice.label)}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="text-field"
          id={id}
          name={`${id}-own`}
          type={TYPES[type]}
          step={type === 'integer' ? 1 : 'any'}
          required={isRequired}
          autocomplete="off"
          defaultValue={initial}
        />
      )}
    </div>
  );
}
