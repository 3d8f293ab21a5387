/** One question of an agent, or several that are alike. Nothing has the focus by itself, nothing is chosen beforehand, and Escape never answers. */
import { useStore } from '@nanostores/preact';
import { ListChecks, MessageCircleQuestionMark } from 'lucide-preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type Answer, ClientError } from '../../../../client/index.js';
import { type ApprovalRequest, consentFor, decisionText, fieldsOf, sentenceFor } from '../../../../consent/index.js';
import { type AskCard, aroundOf } from '../../state/card.js';
import { messageOf } from '../../state/server.js';
import { $agents, $sessions } from '../../state/sessions.js';
import { useFresh } from '../../state/use-fresh.js';
import { answerAll } from '../../state/use-slots.js';
import { useStill } from '../../state/use-still.js';
import { visible } from '../../text/visible.js';
import { ToolIcon } from '../tool/tool-icon.js';
import { AskForm } from './ask-form.js';
import { CardContext } from './card-context.js';
import { PermissionForm } from './permission-form.js';

interface Props {
  card: AskCard;
  /** Beside its conversation nobody has to be told whose it is. */
  isAlone: boolean;
  moves: number;
  onLater: () => void;
  onSettled: (text: string) => void;
}

export function QuestionCard({ card: { records, since }, isAlone, moves, onLater, onSettled }: Props) {
  const [first] = records;
  const { request } = first;
  // Who else is at work is told of all its questions at once, by what lies around them.
  const { alsoHere: _, ...asked } = request;
  const title = useId();
  const box = useRef<HTMLElement>(null);
  const isFresh = useFresh(moves);
  const isStill = useStill(box);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const sessions = useStore($sessions);
  const session = sessions[first.session];
  const agent = useStore($agents).find(({ name }) => name === request.agent);
  // As it was when it appeared: what is read must not move.
  const [around] = useState(() => aroundOf(records, Object.values(sessions)));
  const consent = consentFor(asked, around);
  const fields = fieldsOf(request);

  const decide = async (answer: Answer) => {
    if (isBusy || !isFresh) return;
    if (!isStill()) return setProblem('It has just moved, so nothing was answered. Press again.');
    setProblem('');
    setBusy(true);
    try {
      await answerAll(records, answer);
      onSettled(`${answerText(answer)} · told to the agent`);
    } catch (error) {
      setBusy(false);
      // Somebody else was first: the line tells who.
      if (!(error instanceof ClientError && error.status === 409)) setProblem(messageOf(error));
    }
  };

  const form = { consent, isDisabled: isBusy || !isFresh, onLater, onDecide: (answer: Answer) => void decide(answer) };
  return (
    <section ref={box} class="question" data-question aria-labelledby={title}>
      <header class="question-head">
        <AskIcon request={request} />
        <h2>
          <span id={title} class={isAlone ? '' : 'sr-only'}>
            {visible(consent.title)}
          </span>
          {!isAlone && <span aria-hidden="true">{visible(sentenceFor(request, whoOf(records)))}</span>}
        </h2>
        {records.length > 1 && <span class="chip">× {records.length}, answered once</span>}
      </header>
      {fields.length > 0 ? (
        <AskForm {...form} fields={fields} />
      ) : (
        <PermissionForm {...form} request={request} editing={agent?.capabilities.editInput ?? false} />
      )}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      {!isAlone && <CardContext said={first.said} session={session} since={since} />}
    </section>
  );
}

function whoOf(records: AskCard['records']): string[] {
  const ids = [...new Set(records.map(({ session }) => session))];
  return ids.length > 3 ? [...ids.slice(0, 2), `${ids.length - 2} others`] : ids;
}

function answerText(answer: Answer): string {
  const isAlways = answer.type === 'approve' && answer.remember !== undefined;
  const decision = answer.type === 'approve' ? (isAlways ? 'allow-always' : 'allow') : answer.type;
  const changes = answer.type === 'approve' ? answer.changes : undefined;
  return decisionText({ decision, by: 'person', who: 'you', ...(changes && { changes }) });
}

function AskIcon({ request: { kind, toolKind = 'other' } }: { request: ApprovalRequest }) {
  if (kind === 'plan') return <ListChecks class="tool-icon" size={16} aria-hidden="true" />;
  if (kind === 'question' || kind === 'elicitation') {
    return <MessageCircleQuestionMark class="tool-icon" size={16} aria-hidden="true" />;
  }
  return <ToolIcon kind={toolKind} />;
}
