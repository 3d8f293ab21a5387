/** One question of the agent. Nothing has the focus by itself, nothing is chosen beforehand, and Escape never answers. */
import { ListChecks, MessageCircleQuestionMark } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { type Answer, ClientError } from '../../../../client/index.js';
import { type ApprovalRequest, consentFor, fieldsOf } from '../../../../consent/index.js';
import { client, messageOf } from '../../state/server.js';
import { useFresh } from '../../state/use-fresh.js';
import { visible } from '../../text/visible.js';
import { ToolIcon } from '../tool/tool-icon.js';
import { AskForm } from './ask-form.js';
import { PermissionForm } from './permission-form.js';

interface Props {
  runId: string;
  request: ApprovalRequest;
  /** Whether the agent takes a changed input; a text says when it does not. */
  editing: boolean | string;
  /** How many wait behind this one. */
  others: number;
  onLater: () => void;
  onAnswered: () => void;
}

export function ApprovalCard({ runId, request, editing, others, onLater, onAnswered }: Props) {
  const isFresh = useFresh();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const consent = consentFor(request);
  const fields = fieldsOf(request);

  const decide = async (answer: Answer) => {
    if (isBusy || !isFresh) return;
    setBusy(true);
    try {
      await client.decide(runId, request.id, answer);
      onAnswered();
    } catch (error) {
      setBusy(false);
      // Somebody else was first: there is nothing left to decide.
      if (error instanceof ClientError && error.status === 409) onAnswered();
      else setProblem(messageOf(error));
    }
  };

  const form = { consent, isDisabled: isBusy || !isFresh, onLater, onDecide: (answer: Answer) => void decide(answer) };
  return (
    <section
      class="sheet"
      data-question
      aria-labelledby="sheet-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onLater();
      }}
    >
      <header class="sheet-head">
        <AskIcon request={request} />
        <h2 id="sheet-title">{visible(consent.title)}</h2>
        {others > 0 && <span class="chip">{others} more</span>}
      </header>
      {fields.length > 0 ? (
        <AskForm {...form} fields={fields} />
      ) : (
        <PermissionForm {...form} request={request} editing={editing} />
      )}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function AskIcon({ request: { kind, toolKind = 'other' } }: { request: ApprovalRequest }) {
  if (kind === 'plan') return <ListChecks class="tool-icon" size={16} aria-hidden="true" />;
  if (kind === 'question' || kind === 'elicitation') {
    return <MessageCircleQuestionMark class="tool-icon" size={16} aria-hidden="true" />;
  }
  return <ToolIcon kind={toolKind} />;
}
