/** Keeps a list that grows at its end, until its reader scrolls up; scrolling down to the end takes it up again. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const NEAR_PX = 48;

const UP_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home', ' ']);

export function useStickToEnd(scroller: RefObject<HTMLElement>, content: readonly unknown[]) {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  const isThere = content.length > 0;

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    const list = scroller.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [scroller]);

  const letGo = useCallback(() => {
    sticks.current = false;
    setAtEnd(false);
  }, []);

  useEffect(() => {
    const list = scroller.current;
    const inner = list?.firstElementChild;
    if (!isThere || !list || !inner) return;
    const reader = watchReader(list);
    let lastTop = list.scrollTop;
    let lastHeight = list.scrollHeight;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = list;
      const isNear = scrollTop + clientHeight >= scrollHeight - NEAR_PX;
      // A list whose rows turn out larger or smaller moves by itself; in one that stays as it is only somebody can have moved it.
      const isMoved = scrollTop < lastTop && (reader.isMoving() || scrollHeight === lastHeight);
      if (isNear) sticks.current = true;
      else if (isMoved) sticks.current = false;
      else if (sticks.current) list.scrollTop = scrollHeight;
      lastTop = list.scrollTop;
      lastHeight = scrollHeight;
      setAtEnd(sticks.current);
    };
    const onGrow = () => {
      if (sticks.current) list.scrollTop = list.scrollHeight;
    };
    const growth = new ResizeObserver(onGrow);
    growth.observe(inner);
    growth.observe(list);
    list.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      growth.disconnect();
      list.removeEventListener('scroll', onScroll);
      reader.close();
    };
  }, [scroller, isThere]);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (sticks.current && list) list.scrollTop = list.scrollHeight;
  }, [content]);

  return { isAtEnd, toEnd, letGo };
}

/** Whether the reader turns a wheel, holds the bar, moves a finger or presses a key that leads up, until the list stands still. */
function watchReader(list: HTMLElement) {
  let isMoving = false;
  const watching = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, does: (event: HTMLElementEventMap[K]) => void) =>
    list.addEventListener(type, does, { passive: true, signal: watching.signal });
  const moves = () => {
    isMoving = true;
  };
  on('wheel', ({ deltaY }) => {
    if (deltaY < 0) moves();
  });
  // On the bar: who presses something in the list does not move it.
  on('pointerdown', ({ target }) => {
    if (target === list) moves();
  });
  on('touchmove', moves);
  on('keydown', ({ key }) => {
    if (UP_KEYS.has(key)) moves();
  });
  on('scrollend', () => {
    isMoving = false;
  });
  return { isMoving: () => isMoving, close: () => watching.abort() };
}
