/** Questions of the agent and forms of its servers: what is filled in goes back as the answer. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../../client/index.js';
import type { Consent, Field } from '../../../../consent/index.js';
import { readForm } from '../../text/filled-form.js';
import { ConsentView } from './consent-view.js';
import { QuestionField } from './question-field.js';
import { SchemaFieldView } from './schema-field.js';

interface Props {
  consent: Consent;
  fields: readonly Field[];
  isDisabled: boolean;
  onDecide: (answer: Answer) => void;
  onLater: () => void;
}

export function AskForm({ consent, fields, isDisabled, onDecide, onLater }: Props) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  return (
    <form
      class="question-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const filled = readForm(new FormData(event.currentTarget), fields);
        if ('problems' in filled) setProblems(filled.problems);
        else onDecide({ type: 'answer', answers: filled.answers });
      }}
    >
      <div class="question-body">
        <ConsentView consent={consent} isWhole onWhole={() => {}} />
        {fields.map((field, index) =>
          field.isOpen && field.choices.length > 0 ? (
            <QuestionField key={field.name} id={`f${index}`} field={field} />
          ) : (
            <SchemaFieldView key={field.name} id={`f${index}`} field={field} />
          ),
        )}
        {problems.length > 0 && (
          <p class="error-text" role="alert">
            {problems.join(' ')}
          </p>
        )}
      </div>
      <footer class="question-foot">
        <button type="submit" class="button primary" disabled={isDisabled}>
          Answer
        </button>
        <button type="button" class="button danger" disabled={isDisabled} onClick={() => onDecide({ type: 'deny' })}>
          Do not answer
        </button>
        <span class="grow" />
        <button type="button" class="button quiet" data-key="l" aria-keyshortcuts="l" onClick={onLater}>
          Later
        </button>
      </footer>
    </form>
  );
}
