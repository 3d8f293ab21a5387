/** May the agent do this? Once, always, changed, or not, with a reason. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { readEdit } from '../text/changes.js';
import { editsOf } from '../text/edit.js';
import { visible } from '../text/visible.js';
import type { Ask, Decision } from './approval-dialog.js';
import { DiffView } from './diff-view.js';
import { InputView } from './input-view.js';
import { Markdown } from './markdown.js';

interface Props {
  request: Ask;
  isDisabled: boolean;
  onDecide: (decision: Decision) => void;
}

export function PermissionForm({ request, isDisabled, onDecide }: Props) {
  const { kind, input, plan, suggestions, reason, description, blockedPath } = request;
  const [json, setJson] = useState<string | undefined>();
  const [message, setMessage] = useState<string | undefined>();
  const [problem, setProblem] = useState('');
  const allowButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isDisabled) allowButton.current?.focus();
  }, [isDisabled]);

  const allow = (remember: boolean) => {
    const edited = json === undefined ? undefined : readEdit(input, json);
    if (edited !== undefined && 'problem' in edited) return setProblem(edited.problem);
    onDecide({ type: 'approve', remember, ...edited });
  };
  const deny = () => onDecide({ type: 'deny', ...(message?.trim() && { message: message.trim() }) });
  const isFirstLook = json === undefined && message === undefined;
  const goBack = () => {
    setJson(undefined);
    setMessage(undefined);
    setProblem('');
  };
  const canEdit = kind === 'tool' && typeof input === 'object' && input !== null;

  return (
    <form
      class="sheet-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (message === undefined) allow(false);
        else deny();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isFirstLook) return;
        // Not yet a no: what is being written is only given up.
        event.preventDefault();
        goBack();
      }}
    >
      <div class="sheet-body">
        {description && <p>{visible(description)}</p>}
        {(reason || blockedPath) && <p class="faint">{visible([reason, blockedPath].filter(Boolean).join(' · '))}</p>}
        {plan !== undefined && <Markdown text={plan} />}
        {plan === undefined && json === undefined && <Arguments request={request} />}
        {json !== undefined && (
          <textarea
            class="json-field"
            aria-label="Arguments as JSON"
            aria-invalid={problem !== ''}
            spellcheck={false}
            rows={Math.min(18, json.split('\n').length + 1)}
            value={json}
            // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for it
            autoFocus
            onInput={(event) => {
              setJson(event.currentTarget.value);
              setProblem('');
            }}
          />
        )}
        {problem !== '' && (
          <p class="error-text" role="alert">
            {problem}
          </p>
        )}
        {message !== undefined && (
          <input
            class="text-field"
            aria-label="Reason"
            placeholder="Why not, or what to do instead"
            value={message}
            // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for it
            autoFocus
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        )}
      </div>
      <footer class="sheet-foot">
        {!isFirstLook && (
          <button type="button" class="button quiet" disabled={isDisabled} onClick={goBack}>
            Back
          </button>
        )}
        {canEdit && isFirstLook && (
          <button
            type="button"
            class="button quiet"
            disabled={isDisabled}
            onClick={() => setJson(JSON.stringify(input, undefined, 2))}
          >
            Edit
          </button>
        )}
        {isFirstLook && (
          <button type="button" class="button quiet" disabled={isDisabled} onClick={() => setMessage('')}>
            Deny with a reason
          </button>
        )}
        <span class="grow" />
        <button
          type={message === undefined ? 'button' : 'submit'}
          class="button danger"
          disabled={isDisabled}
          aria-keyshortcuts="Escape"
          onClick={message === undefined ? deny : undefined}
        >
          {kind === 'plan' ? 'Keep planning' : 'Deny'}
          {isFirstLook && (
            <span class="key" aria-hidden="true">
              Esc
            </span>
          )}
        </button>
        {message === undefined && suggestions !== undefined && suggestions.length > 0 && (
          <button type="button" class="button" disabled={isDisabled} onClick={() => allow(true)}>
            Always allow
          </button>
        )}
        {message === undefined && (
          <button
            ref={allowButton}
            type="submit"
            class="button primary"
            disabled={isDisabled}
            aria-keyshortcuts="Enter"
          >
            {kind === 'plan' ? 'Go ahead' : json === undefined ? 'Allow once' : 'Allow as edited'}
            {isFirstLook && (
              <span class="key" aria-hidden="true">
                ⏎
              </span>
            )}
          </button>
        )}
      </footer>
    </form>
  );
}

function Arguments({ request: { input, toolKind, summary } }: { request: Ask }) {
  const edits = editsOf(input);
  if (edits.length > 0) {
    return (
      <>
        {edits.map(({ path, before, after }, index) => (
          <DiffView key={index} path={path} before={before} after={after} />
        ))}
      </>
    );
  }
  if (input === undefined) return summary ? <p>{visible(summary)}</p> : null;
  return <InputView input={input} kind={toolKind} />;
}
