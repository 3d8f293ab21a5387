/** For a field that appears because somebody asked for it: the next key is already meant for it. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useFocus<Field extends HTMLElement>(isWanted = true): RefObject<Field> {
  const field = useRef<Field>(null);
  useLayoutEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  return field;
}
