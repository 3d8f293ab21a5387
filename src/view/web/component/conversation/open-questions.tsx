/** The questions of this session that wait, at the end of its conversation. */
import { useStore } from '@nanostores/preact';
import { useMemo } from 'preact/hooks';
import { rowAt, type SessionState, selectPendingApprovals } from '../../../../session/index.js';
import { askCards } from '../../state/card.js';
import { $waiting, isAnsweredHere, nameOf } from '../../state/waiting.js';
import { QuestionList } from '../approval/question-list.js';

/** The events of the session know of them sooner than the list of all that wait. */
export function OpenQuestions({ session, state }: { session: string; state: SessionState }) {
  const waiting = useStore($waiting);
  const cards = useMemo(() => {
    const known = new Map(waiting.map((record) => [nameOf(record), record]));
    const records = selectPendingApprovals(state).flatMap(({ run, request }) => {
      const runId = rowAt(state.runs, run)?.runId;
      if (runId === undefined || isAnsweredHere({ runId, request })) return [];
      return [known.get(nameOf({ runId, request })) ?? { runId, session, request }];
    });
    return askCards(records);
  }, [waiting, state, session]);
  return <QuestionList cards={cards} isAlone />;
}
