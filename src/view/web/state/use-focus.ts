/** For a field that appears because somebody asked for it: what is typed next goes there. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function useFocus<Field extends HTMLElement>(isWanted = true): RefObject<Field> {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  return field;
}
