/**
 * Whether a person could have seen what has just appeared, so that a key or a click that was meant for something else decides nothing:
 * false for a moment, as long as anything is pressed, and for a moment after every press that came before.
 */
import { useEffect, useState } from 'preact/hooks';

const SEEN_MS = 500;

const pressed = new Set<string>();
const listen = (type: string, onEvent: (event: Event) => void) =>
  document.addEventListener(type, onEvent, { capture: true, passive: true });
listen('keydown', (event) => pressed.add(nameOf(event)));
listen('keyup', (event) => pressed.delete(nameOf(event)));
listen('pointerdown', (event) => pressed.add(nameOf(event)));
listen('pointerup', (event) => pressed.delete(nameOf(event)));
listen('pointercancel', (event) => pressed.delete(nameOf(event)));
// What is let go elsewhere is not told here.
window.addEventListener('blur', () => pressed.clear());

/** Begins anew whenever `version` changes. */
export function useFresh(version: number): boolean {
  const [fresh, setFresh] = useState<number>();
  const isFresh = fresh === version;
  useEffect(() => {
    if (isFresh) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (pressed.size > 0 || document.hidden) wait();
      else setFresh(version);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(look, SEEN_MS);
    };
    const types = ['keydown', 'pointerdown'];
    for (const type of types) document.addEventListener(type, wait, { capture: true });
    wait();
    return () => {
      clearTimeout(timer);
      for (const type of types) document.removeEventListener(type, wait, { capture: true });
    };
  }, [isFresh, version]);
  return isFresh;
}

function nameOf(event: Event): string {
  if (event instanceof KeyboardEvent) return event.code;
  return event instanceof PointerEvent ? `pointer ${event.pointerId}` : '';
}
