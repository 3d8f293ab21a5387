/** What takes long is done in steps, each in a task of its own, so that the page never works long at a time. */
import { useEffect, useState } from 'preact/hooks';
import { nextTask } from './main-thread.js';

/** Counts from 0 to `last`, one after each step that was drawn. */
export function useStage(last: number): number {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    if (stage >= last) return;
    let isHere = true;
    nextTask(() => isHere && setStage(stage + 1));
    return () => {
      isHere = false;
    };
  }, [stage, last]);
  return stage;
}
