/** Which part of a wide picture is seen: how far it is scrolled, and how wide its frame is. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface VisiblePart {
  left: number;
  width: number;
}

export function useWindow(frame: RefObject<HTMLElement>): VisiblePart {
  const [seen, setSeen] = useState<VisiblePart>({ left: 0, width: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => setSeen({ left: element.scrollLeft, width: element.clientWidth });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [frame]);
  return seen;
}
