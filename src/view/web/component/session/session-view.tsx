/** One session: what was said and done, what it changed, or its picture over time, and the place to go on. */
import { useStore } from '@nanostores/preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { lineFor } from '../../../../consent/index.js';
import { type SessionState, selectPendingApproval } from '../../../../session/index.js';
import { $open, openSession } from '../../state/open-session.js';
import { type SessionPart, sessionPath } from '../../state/route.js';
import { $health, $presences, $sessions } from '../../state/sessions.js';
import { visible } from '../../text/visible.js';
import { Conversation } from '../conversation/conversation.js';
import { TodoStrip } from '../conversation/todo-strip.js';
import { Loading, Notice } from '../part/notice.js';
import { PromptBox } from './prompt-box.js';
import { SessionHeader } from './session-header.js';

/** Where the conversation is not shown: the question stands there. */
function WaitingHint({ id, state }: { id: string; state: SessionState }) {
  const head = selectPendingApproval(state);
  if (head === undefined) return null;
  return (
    <p class="later-line waiting-hint">
      <span class="cut grow">Waiting for you: {visible(lineFor(head.request))}</span>
      <a class="button" href={sessionPath(id)}>
        Decide
      </a>
    </p>
  );
}

const Timeline = lazy(() => import('../../chart/timeline.js'));
const ChangesPage = lazy(() => import('../../change/changes-page.js'));

export default function SessionView({ id, view }: { id: string; view: SessionPart }) {
  const open = useStore($open);
  const record = useStore($sessions, { keys: [id] })[id];
  const presence = useStore($presences, { keys: [id] })[id];
  const isReadOnly = useStore($health)?.readOnly ?? false;
  useEffect(() => openSession(id), [id]);
  if (open?.phase === 'failed') {
    return (
      <Notice title="This session cannot be shown">
        <p>{open.problem}</p>
        <a class="button" href="/">
          All sessions
        </a>
      </Notice>
    );
  }
  if (open === undefined || open.id !== id || record === undefined) return <Loading text="Loading the session" />;
  return (
    <>
      <SessionHeader record={record} presence={presence} open={open} view={view} />
      {record.runs.map(
        ({ runId, refused }) =>
          refused !== undefined && (
            <p key={runId} class="later-line" role="note">
              {visible(refused)}
            </p>
          ),
      )}
      {view === 'conversation' && <Conversation open={open} isAnswerable={!isReadOnly && record.state !== 'ended'} />}
      {view === 'timeline' && open.phase !== 'ready' && <Loading text="Loading the session" />}
      {view === 'timeline' && open.phase === 'ready' && (
        <Suspense fallback={<Loading text="Drawing" />}>
          <Timeline id={id} state={open.state} />
        </Suspense>
      )}
      {view === 'changes' && (
        <Suspense fallback={<Loading text="Looking at the files" />}>
          <ChangesPage record={record} state={open.state} isWhole={open.phase === 'ready'} isReadOnly={isReadOnly} />
        </Suspense>
      )}
      {view !== 'conversation' && <WaitingHint id={id} state={open.state} />}
      <TodoStrip state={open.state} isAside={view !== 'conversation'} />
      {!isReadOnly && (
        <PromptBox record={record} presence={presence} state={open.state} isAside={view !== 'conversation'} />
      )}
    </>
  );
}
