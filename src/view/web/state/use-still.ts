/** Whether something has stood still on the screen for a moment: what was moved under a pointer is not answered by its click. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const LOOK_MS = 100;
const STILL_MS = 300;
const MOVED_PX = 4;

/**
 * A key means what has the focus, wherever that stands. The click itself tells what made it, because a key may be down, or be hit by accident, between
 * the press and the letting go of a pointer.
 */
let isByKey = false;
document.addEventListener('click', ({ detail }) => (isByKey = detail === 0), { capture: true, passive: true });

/** Scrolling and what is opened in it are the reader's own doing and do not count. */
export function useStill(box: RefObject<HTMLElement>): () => boolean {
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const before = useRef<{ screen: number; page: number; height: number } | undefined>();
  const look = useRef(() => {
    const element = box.current;
    if (!element) return;
    const now = {
      screen: element.getBoundingClientRect().top,
      page: placeInScroller(element),
      height: element.offsetHeight,
    };
    const last = before.current;
    before.current = now;
    const isOther = (one: number, other: number) => Math.abs(one - other) > MOVED_PX;
    const isMoved = last && isOther(last.screen, now.screen) && isOther(last.page, now.page);
    if (isMoved && last.height === now.height) movedAt.current = performance.now();
  });
  useEffect(() => {
    const timer = setInterval(look.current, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return () => {
    look.current();
    return isByKey || performance.now() - movedAt.current > STILL_MS;
  };
}

/** From the beginning of what scrolls, however far it is scrolled. */
function placeInScroller(element: HTMLElement): number {
  const scroller = element.closest<HTMLElement>('[data-scroller]');
  if (!scroller) return element.getBoundingClientRect().top;
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
}
