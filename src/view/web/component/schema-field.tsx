/** One field of a form that a server asks for. */
import type { SchemaField } from '../text/schema-fields.js';
import { visible } from '../text/visible.js';

export function SchemaFieldView({ id, field }: { id: string; field: SchemaField }) {
  const { title, description, isRequired } = field;
  const label = (
    <span>
      {visible(title)}
      {isRequired && <span aria-hidden="true"> *</span>}
      {description && <span class="faint option-text">{visible(description)}</span>}
    </span>
  );
  if (field.type === 'boolean') {
    return (
      <label class="option">
        <input type="checkbox" name={id} defaultChecked={field.initial === 'true'} />
        {label}
      </label>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {field.choices.length > 0 ? (
        <select id={id} name={id} required={isRequired} defaultValue={field.initial}>
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {visible(choice)}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="text-field"
          id={id}
          name={id}
          type={field.type === 'text' ? 'text' : 'number'}
          step={field.type === 'integer' ? 1 : 'any'}
          required={isRequired}
          defaultValue={field.initial}
        />
      )}
    </div>
  );
}
