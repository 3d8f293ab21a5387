/** The arguments of a call, to be changed before it is allowed: a text as a text, anything else as JSON, or all of it as JSON. */
import { useState } from 'preact/hooks';
import type { Changes } from '../../../../event/index.js';
import { useFocus } from '../../state/use-focus.js';
import { editableFields, readFields, readJson } from '../../text/edited-input.js';
import { visible } from '../../text/visible.js';

interface Props {
  input: unknown;
  /** What of it the agent does not take. */
  note: string;
  isDisabled: boolean;
  /** Why it cannot be allowed yet. */
  unseen: string;
  onAllow: (changes: Changes) => void;
  onBack: () => void;
}

export function InputEditor({ input, note, isDisabled, unseen, onAllow, onBack }: Props) {
  const [fields, setFields] = useState(() => editableFields(input));
  const [json, setJson] = useState<string | undefined>();
  const [problem, setProblem] = useState('');
  const setText = (name: string, text: string) => {
    setFields(fields.map((field) => (field.name === name ? { ...field, text } : field)));
    setProblem('');
  };
  const allow = () => {
    const edited = json === undefined ? readFields(input, fields) : readJson(input, json);
    if ('problem' in edited) setProblem(edited.problem);
    else onAllow(edited.changes);
  };
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        allow();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onBack();
      }}
    >
      <div class="question-body">
        {note !== '' && <p class="warning-text">This agent takes changes {note}.</p>}
        {json === undefined ? (
          fields.map(({ name, text, isText }, index) => (
            <EditField
              key={name}
              label={isText ? name : `${name} as JSON`}
              text={text}
              isFirst={index === 0}
              onText={(changed) => setText(name, changed)}
            />
          ))
        ) : (
          <EditField
            label="Arguments as JSON"
            text={json}
            isFirst
            onText={(changed) => {
              setJson(changed);
              setProblem('');
            }}
          />
        )}
        {problem !== '' && (
          <p class="error-text" role="alert">
            {problem}
          </p>
        )}
      </div>
      {unseen !== '' && <p class="question-hint">{unseen}</p>}
      <footer class="question-foot">
        <button type="submit" class="button primary" disabled={isDisabled}>
          Allow as changed
        </button>
        <button type="button" class="button quiet" onClick={onBack}>
          Back
        </button>
        <span class="grow" />
        {json === undefined && (
          <button type="button" class="button quiet" onClick={() => setJson(JSON.stringify(input, undefined, 2))}>
            Edit as JSON
          </button>
        )}
      </footer>
    </form>
  );
}

interface FieldProps {
  label: string;
  text: string;
  isFirst: boolean;
  onText: (text: string) => void;
}

function EditField({ label, text, isFirst, onText }: FieldProps) {
  const field = useFocus<HTMLTextAreaElement>(isFirst);
  return (
    <label class="edit-field">
      <span>{visible(label)}</span>
      <textarea
        ref={field}
        class="json-field"
        spellcheck={false}
        rows={Math.min(14, text.split('\n').length)}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  );
}
