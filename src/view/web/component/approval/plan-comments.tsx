/** A plan line by line, to say what to change where; all of it goes back as one message. */
import { useState } from 'preact/hooks';
import { counted } from '../../../../word/index.js';
import { useFocus } from '../../state/use-focus.js';
import { visible } from '../../text/visible.js';

interface Props {
  plan: string;
  isDisabled: boolean;
  onSend: (message: string) => void;
  onBack: () => void;
}

export function PlanComments({ plan, isDisabled, onSend, onBack }: Props) {
  const lines = plan.split('\n');
  const [comments, setComments] = useState<ReadonlyMap<number, string>>(new Map());
  const set = (line: number, text: string) => setComments(new Map(comments).set(line, text));
  const said = [...comments].filter(([, text]) => text.trim() !== '').sort(([one], [other]) => one - other);
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (said.length > 0) onSend(said.map(([line, text]) => `> ${lines[line]}\n\n${text.trim()}`).join('\n\n'));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onBack();
      }}
    >
      <ol class="question-body plan-lines" aria-label="Lines of the plan">
        {lines.map((line, index) => (
          <li key={index}>
            {line.trim() !== '' && (
              <button type="button" class="plan-line" onClick={() => !comments.has(index) && set(index, '')}>
                {visible(line)}
              </button>
            )}
            {comments.has(index) && (
              <Comment line={index} text={comments.get(index) ?? ''} onText={(text) => set(index, text)} />
            )}
          </li>
        ))}
      </ol>
      {said.length === 0 && <p class="question-hint">Choose a line, and say what to change there.</p>}
      <footer class="question-foot">
        <button type="submit" class="button danger" disabled={isDisabled || said.length === 0}>
          Keep planning{said.length > 0 && `, with ${counted(said.length, 'comment')}`}
        </button>
        <button type="button" class="button quiet" onClick={onBack}>
          Back
        </button>
      </footer>
    </form>
  );
}

function Comment({ line, text, onText }: { line: number; text: string; onText: (text: string) => void }) {
  const field = useFocus<HTMLInputElement>();
  return (
    <input
      ref={field}
      class="text-field"
      aria-label={`Comment on line ${line + 1}`}
      placeholder="What to change here"
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}
