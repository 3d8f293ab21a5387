/** Questions of the agent and forms of its servers: what is filled in goes back as the answer. */
import { useEffect, useRef } from 'preact/hooks';
import { readAnswers } from '../text/answers.js';
import { fieldsOfSchema } from '../text/schema-fields.js';
import { visible } from '../text/visible.js';
import type { Ask, Decision } from './approval-dialog.js';
import { Markdown } from './markdown.js';
import { QuestionField } from './question-field.js';
import { SchemaFieldView } from './schema-field.js';

interface Props {
  request: Ask;
  isDisabled: boolean;
  onDecide: (decision: Decision) => void;
}

export function AskForm({ request, isDisabled, onDecide }: Props) {
  const { questions = [], answerSchema, description, url } = request;
  const fields = fieldsOfSchema(answerSchema);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isDisabled) form.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, [isDisabled]);
  return (
    <form
      ref={form}
      class="sheet-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        onDecide({ type: 'answer', answers: readAnswers(data, questions, fields) });
      }}
    >
      <div class="sheet-body">
        {description && <Markdown text={description} />}
        {url && /^https?:/i.test(url) && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {visible(url)}
          </a>
        )}
        {questions.map((question, index) => (
          <QuestionField key={question.question} name={`q${index}`} question={question} />
        ))}
        {questions.length === 0 &&
          fields.map((field, index) => <SchemaFieldView key={field.name} id={`f${index}`} field={field} />)}
      </div>
      <footer class="sheet-foot">
        <span class="grow" />
        <button
          type="button"
          class="button danger"
          disabled={isDisabled}
          aria-keyshortcuts="Escape"
          onClick={() => onDecide({ type: 'deny' })}
        >
          Do not answer
          <span class="key" aria-hidden="true">
            Esc
          </span>
        </button>
        <button type="submit" class="button primary" disabled={isDisabled} aria-keyshortcuts="Enter">
          Answer
        </button>
      </footer>
    </form>
  );
}
