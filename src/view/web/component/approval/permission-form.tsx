/** May the agent do this? Once, always by a scope in words, changed, or not, with a reason. Allowed only when its end was in sight. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../../client/index.js';
import type { ApprovalRequest, Consent } from '../../../../consent/index.js';
import { useFocus } from '../../state/use-focus.js';
import { useSeen } from '../../state/use-seen.js';
import { visible } from '../../text/visible.js';
import { ConsentView, isLong } from './consent-view.js';
import { InputEditor } from './input-editor.js';
import { PlanComments } from './plan-comments.js';

interface Props {
  consent: Consent;
  request: ApprovalRequest;
  editing: boolean | string;
  isDisabled: boolean;
  onDecide: (answer: Answer) => void;
  onLater: () => void;
}

type Step = 'look' | 'always' | 'edit' | 'deny' | 'comment';

export function PermissionForm({ consent, request, editing, isDisabled, onDecide, onLater }: Props) {
  const { kind, input } = request;
  const [step, setStep] = useState<Step>('look');
  const [reason, setReason] = useState('');
  const [isWhole, setWhole] = useState(() => !isLong(consent.parts));
  const { end, isSeen } = useSeen();
  const canEdit = editing !== false && kind === 'tool' && typeof input === 'object' && input !== null;
  const isPlan = kind === 'plan';
  const mayAllow = !isDisabled && isSeen && consent.missing === undefined;
  const reasonField = useFocus<HTMLInputElement>(step === 'deny');
  const back = () => setStep('look');

  if (step === 'edit') {
    return (
      <InputEditor
        input={input}
        note={typeof editing === 'string' ? editing : ''}
        isDisabled={!mayAllow}
        unseen={
          consent.missing ?? (isSeen ? '' : 'It can be allowed when its end was in sight: go back and scroll down.')
        }
        onAllow={(changes) => onDecide({ type: 'approve', changes })}
        onBack={back}
      />
    );
  }
  if (step === 'comment') {
    return (
      <PlanComments
        plan={request.plan ?? ''}
        isDisabled={isDisabled}
        onSend={(message) => onDecide({ type: 'deny', message })}
        onBack={back}
      />
    );
  }
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (step === 'deny') onDecide({ type: 'deny', ...(reason.trim() !== '' && { message: reason.trim() }) });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || step === 'look') return;
        // What is open is only given up, and whoever is here stays here.
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>('[data-slot]')?.focus();
        back();
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class={`question-body ${isSeen ? '' : 'is-unseen'}`} tabIndex={0}>
        <ConsentView consent={consent} isWhole={isWhole} onWhole={() => setWhole(true)} />
        {isWhole && <div ref={end} class="question-end" />}
      </div>
      {step === 'always' && (
        <ul class="scopes" aria-label="Always allow">
          {consent.always.map(({ position, text }) => (
            <li key={position}>
              <button
                type="button"
                class="button scope"
                disabled={!mayAllow}
                onClick={() => onDecide({ type: 'approve', remember: [position] })}
              >
                Always allow {visible(text)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {step === 'deny' && (
        <input
          ref={reasonField}
          class="text-field question-reason"
          aria-label="Reason"
          placeholder={isPlan ? 'What to change' : 'Why not, or what to do instead'}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {(consent.missing !== undefined || !isSeen) && (
        <p class="question-hint">{consent.missing ?? 'It can be allowed when its end was in sight: scroll down.'}</p>
      )}
      {step === 'deny' ? (
        <footer class="question-foot">
          <button type="submit" class="button danger" disabled={isDisabled}>
            {isPlan ? 'Keep planning' : 'Deny'}
          </button>
          <button type="button" class="button quiet" onClick={back}>
            Back
          </button>
        </footer>
      ) : (
        <footer class="question-foot">
          <button
            type="button"
            class="button primary"
            data-key="y"
            aria-keyshortcuts="y"
            disabled={!mayAllow}
            onClick={() => onDecide({ type: 'approve' })}
          >
            {isPlan ? 'Go ahead' : 'Allow once'}
          </button>
          {consent.always.length > 0 && (
            <button
              type="button"
              class="button"
              data-key="a"
              aria-keyshortcuts="a"
              aria-expanded={step === 'always'}
              onClick={() => setStep(step === 'always' ? 'look' : 'always')}
            >
              Always…
            </button>
          )}
          {canEdit && (
            <button type="button" class="button" data-key="e" aria-keyshortcuts="e" onClick={() => setStep('edit')}>
              Change it first
            </button>
          )}
          {isPlan && request.plan && (
            <button type="button" class="button" data-key="e" aria-keyshortcuts="e" onClick={() => setStep('comment')}>
              Comment on lines
            </button>
          )}
          <button
            type="button"
            class="button danger"
            data-key="n"
            aria-keyshortcuts="n"
            onClick={() => setStep('deny')}
          >
            {isPlan ? 'Keep planning…' : 'Deny…'}
          </button>
          <span class="grow" />
          <button type="button" class="button quiet" data-key="l" aria-keyshortcuts="l" onClick={onLater}>
            Later
          </button>
        </footer>
      )}
    </form>
  );
}
