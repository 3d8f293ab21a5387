/** May the agent do this? Once, always by a scope in words, changed, or not, with a reason. Allowed only when its end was in sight. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../../client/index.js';
import type { ApprovalRequest, Consent } from '../../../../consent/index.js';
import { useSeen } from '../../state/use-seen.js';
import { visible } from '../../text/visible.js';
import { ConsentView, isLong } from './consent-view.js';
import { InputEditor } from './input-editor.js';

interface Props {
  consent: Consent;
  request: ApprovalRequest;
  editing: boolean | string;
  isDisabled: boolean;
  onDecide: (answer: Answer) => void;
  onLater: () => void;
}

type Step = 'look' | 'always' | 'edit' | 'deny';

export function PermissionForm({ consent, request, editing, isDisabled, onDecide, onLater }: Props) {
  const { kind, input } = request;
  const [step, setStep] = useState<Step>('look');
  const [reason, setReason] = useState('');
  const [isWhole, setWhole] = useState(() => !isLong(consent.parts));
  const { end, isSeen } = useSeen(isWhole);
  const canEdit = editing !== false && kind === 'tool' && typeof input === 'object' && input !== null;
  const isPlan = kind === 'plan';
  const mayAllow = !isDisabled && isSeen && consent.missing === undefined;
  const back = () => setStep('look');

  if (step === 'edit') {
    return (
      <InputEditor
        input={input}
        note={typeof editing === 'string' ? editing : ''}
        isDisabled={!mayAllow}
        onAllow={(changes) => onDecide({ type: 'approve', changes })}
        onBack={back}
      />
    );
  }
  return (
    <form
      class="sheet-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (step === 'deny') onDecide({ type: 'deny', ...(reason.trim() !== '' && { message: reason.trim() }) });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || step === 'look') return;
        // What is open is only given up.
        event.preventDefault();
        back();
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="sheet-body" tabIndex={0}>
        <ConsentView consent={consent} onWhole={() => setWhole(true)} />
        {isWhole && <div ref={end} class="sheet-end" />}
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
          class="text-field sheet-reason"
          aria-label="Reason"
          placeholder={isPlan ? 'What to change' : 'Why not, or what to do instead'}
          value={reason}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for it
          autoFocus
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {(consent.missing !== undefined || !isSeen) && (
        <p class="sheet-hint">{consent.missing ?? 'It can be allowed when its end was in sight: scroll down.'}</p>
      )}
      {step === 'deny' ? (
        <footer class="sheet-foot">
          <button type="submit" class="button danger" disabled={isDisabled}>
            {isPlan ? 'Keep planning' : 'Deny'}
          </button>
          <button type="button" class="button quiet" onClick={back}>
            Back
          </button>
        </footer>
      ) : (
        <footer class="sheet-foot">
          <button
            type="button"
            class="button primary"
            disabled={!mayAllow}
            onClick={() => onDecide({ type: 'approve' })}
          >
            {isPlan ? 'Go ahead' : 'Allow once'}
          </button>
          {consent.always.length > 0 && (
            <button
              type="button"
              class="button"
              aria-expanded={step === 'always'}
              onClick={() => setStep(step === 'always' ? 'look' : 'always')}
            >
              Always…
            </button>
          )}
          {canEdit && (
            <button type="button" class="button" onClick={() => setStep('edit')}>
              Change it first
            </button>
          )}
          <span class="grow" />
          <button type="button" class="button danger" disabled={isDisabled} onClick={() => onDecide({ type: 'deny' })}>
            {isPlan ? 'Keep planning' : 'Deny'}
          </button>
          <button type="button" class="button quiet" onClick={() => setStep('deny')}>
            {isPlan ? 'Say what to change' : 'Deny with a reason'}
          </button>
          <button type="button" class="button quiet" onClick={onLater}>
            Later
          </button>
        </footer>
      )}
    </form>
  );
}
