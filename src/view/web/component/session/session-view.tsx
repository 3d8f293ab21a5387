/** One session: what was said and done, or its picture over time, and the place to go on. */
import { useStore } from '@nanostores/preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { $open, openSession } from '../../state/open-session.js';
import { $health, $presences, $sessions } from '../../state/sessions.js';
import { ApprovalSheet } from '../approval/approval-sheet.js';
import { Conversation } from '../conversation/conversation.js';
import { TodoStrip } from '../conversation/todo-strip.js';
import { Loading, Notice } from '../part/notice.js';
import { PromptBox } from './prompt-box.js';
import { SessionHeader } from './session-header.js';

const Timeline = lazy(() => import('../../chart/timeline.js'));

export function SessionView({ id, view }: { id: string; view: 'conversation' | 'timeline' }) {
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
      {view === 'conversation' && <Conversation open={open} />}
      {view === 'timeline' && open.phase !== 'ready' && <Loading text="Loading the session" />}
      {view === 'timeline' && open.phase === 'ready' && (
        <Suspense fallback={<Loading text="Drawing" />}>
          <Timeline id={id} state={open.state} />
        </Suspense>
      )}
      {!isReadOnly && record.state !== 'ended' && <ApprovalSheet state={open.state} />}
      <TodoStrip state={open.state} />
      {!isReadOnly && <PromptBox record={record} presence={presence} state={open.state} />}
    </>
  );
}
