/** One question of the agent. Return allows, Escape denies; neither does before a person could have seen it. */
import { ListChecks, MessageCircleQuestionMark } from 'lucide-preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ApproveRequest, ClientError } from '../../../client/index.js';
import type { EventOf } from '../../../event/index.js';
import { client, messageOf } from '../state/server.js';
import { useKeyGuard } from '../state/use-key-guard.js';
import type { InputChanges } from '../text/changes.js';
import { visible } from '../text/visible.js';
import { AskForm } from './ask-form.js';
import { PermissionForm } from './permission-form.js';
import { ToolIcon } from './tool-icon.js';

export type Decision =
  | ({ type: 'approve'; remember: boolean } & Partial<InputChanges>)
  | { type: 'deny'; message?: string }
  | { type: 'answer'; answers: Record<string, unknown> };

export type Ask = EventOf<'approval-request'>;

interface Props {
  runId: string;
  request: Ask;
  /** How many wait behind this one. */
  others: number;
  onAnswered: () => void;
}

export function ApprovalDialog({ runId, request, others, onAnswered }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGuarded = useKeyGuard();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  // Before the forms look for their first field: opening gives the focus to whatever comes first.
  useLayoutEffect(() => {
    const sheet = dialog.current;
    sheet?.showModal();
    return () => sheet?.close();
  }, []);

  const decide = async (decision: Decision) => {
    if (isBusy || isGuarded) return;
    setBusy(true);
    try {
      await send(runId, request.id, decision);
      onAnswered();
    } catch (error) {
      setBusy(false);
      // Somebody else was first: there is nothing left to decide.
      if (error instanceof ClientError && error.status === 409) onAnswered();
      else setProblem(messageOf(error));
    }
  };

  const isAsk = request.kind === 'question' || request.kind === 'elicitation';
  const form = { request, isDisabled: isBusy || isGuarded, onDecide: (decision: Decision) => void decide(decision) };
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="sheet-title"
      onCancel={(event) => {
        event.preventDefault();
        void decide({ type: 'deny' });
      }}
    >
      <header class="sheet-head">
        <AskIcon request={request} />
        <h2 id="sheet-title">{visible(titleOf(request))}</h2>
        {others > 0 && <span class="chip">{others} more</span>}
      </header>
      {isAsk ? <AskForm {...form} /> : <PermissionForm {...form} />}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </dialog>
  );
}

function AskIcon({ request: { kind, toolKind = 'other' } }: { request: Ask }) {
  if (kind === 'plan') return <ListChecks class="tool-icon" size={16} aria-hidden="true" />;
  if (kind === 'question' || kind === 'elicitation') {
    return <MessageCircleQuestionMark class="tool-icon" size={16} aria-hidden="true" />;
  }
  return <ToolIcon kind={toolKind} />;
}

function titleOf({ kind, toolName, title }: Ask): string {
  if (kind === 'plan') return 'The agent has a plan';
  if (kind === 'question') return 'The agent asks';
  if (kind === 'elicitation') return title ?? `${toolName ?? 'A server'} asks`;
  return `Allow ${title ?? toolName ?? 'this'}?`;
}

/** An input that was not changed is not mentioned: it goes to the agent as it came. */
function approvalOf({ changes = {}, removals = [], remember }: Extract<Decision, { type: 'approve' }>): ApproveRequest {
  return {
    ...(Object.keys(changes).length > 0 && { changes }),
    ...(removals.length > 0 && { removals }),
    ...(remember && { remember }),
  };
}

function send(runId: string, id: string, decision: Decision): Promise<void> {
  switch (decision.type) {
    case 'approve':
      return client.approve(runId, id, approvalOf(decision));
    case 'deny':
      return client.deny(runId, id, decision.message ? { message: decision.message } : {});
    case 'answer':
      return client.answer(runId, id, { answers: decision.answers });
  }
}
