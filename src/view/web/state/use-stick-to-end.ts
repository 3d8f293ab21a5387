/** Keeps a list that grows at its end, until its reader scrolls up; scrolling down to the end takes it up again. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const NEAR_PX = 48;

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
    let lastTop = list.scrollTop;
    let lastHeight = list.scrollHeight;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = list;
      const isNear = scrollTop + clientHeight >= scrollHeight - NEAR_PX;
      // A list that became shorter moves by itself; only a move within an unchanged or longer one was the reader.
      if (isNear) sticks.current = true;
      else if (scrollTop < lastTop && scrollHeight >= lastHeight) sticks.current = false;
      lastTop = scrollTop;
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
    };
  }, [scroller, isThere]);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (sticks.current && list) list.scrollTop = list.scrollHeight;
  }, [content]);

  return { isAtEnd, toEnd, letGo };
}
