/** When the files are to be looked at again: something happened in the session, or the reader came back to the page. */
import { useEffect, useState } from 'preact/hooks';
import { type SessionState, values } from '../../../session/index.js';

const REST_MS = 2000;

export function useLook(state: SessionState): { look: string; again: () => void } {
  const happened = `${state.changes.count} ${endedTurns(state)}`;
  const [shown, setShown] = useState(happened);
  const [count, setCount] = useState(0);
  const again = () => setCount((before) => before + 1);
  useEffect(() => {
    if (happened === shown) return;
    const timer = setTimeout(() => setShown(happened), REST_MS);
    return () => clearTimeout(timer);
  }, [happened, shown]);
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && again();
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, []);
  return { look: `${shown} ${count}`, again };
}

function endedTurns({ turns }: SessionState): number {
  let count = 0;
  for (const { end } of values(turns.rows)) if (end) count += 1;
  return count;
}
