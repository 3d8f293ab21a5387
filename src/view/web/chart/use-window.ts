/** Which part of a large picture is seen: how far it is scrolled, and how large its frame is. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface VisiblePart {
  left: number;
  width: number;
  top: number;
  height: number;
}

export function useWindow(frame: RefObject<HTMLElement>): VisiblePart {
  const [seen, setSeen] = useState<VisiblePart>({ left: 0, width: 0, top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft: left, clientWidth: width, scrollTop: top, clientHeight: height } = element;
      setSeen({ left, width, top, height });
    };
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
