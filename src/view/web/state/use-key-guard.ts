/** True for a moment after something opened while a person was typing, so that a key meant for the text decides nothing. */
import { useEffect, useState } from 'preact/hooks';
import { isTyping } from './key.js';

const TYPED_WITHIN_MS = 1000;
const GUARD_MS = 700;

let typedAt = Number.NEGATIVE_INFINITY;
document.addEventListener(
  'keydown',
  (event) => {
    if (isTyping(event)) typedAt = performance.now();
  },
  { capture: true },
);

export function useKeyGuard(): boolean {
  const [isGuarded, setGuarded] = useState(() => performance.now() - typedAt < TYPED_WITHIN_MS);
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isGuarded;
}
