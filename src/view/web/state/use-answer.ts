/** The answer to a request that depends on something; an answer that comes too late is dropped. */
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './server.js';

export type Answer<T> = { phase: 'loading' } | { phase: 'ready'; value: T } | { phase: 'failed'; problem: string };

/** `keepsLast`: what was there stays until the next one comes. */
export function useAnswer<T>(
  ask: () => Promise<T>,
  on: readonly unknown[],
  { keepsLast = false }: { keepsLast?: boolean } = {},
): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ phase: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    setAnswer((before) => (keepsLast && before.phase === 'ready' ? before : { phase: 'loading' }));
    ask().then(
      (value) => isCurrent && setAnswer({ phase: 'ready', value }),
      (error: unknown) => isCurrent && setAnswer({ phase: 'failed', problem: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, on);
  return answer;
}
