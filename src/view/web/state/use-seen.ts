/** Whether the end of something was on the screen; once it was, it stays so. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** `end` is for an element behind the last line. It may come later; it is looked for again whenever `isThere` changes. */
export function useSeen(isThere: boolean): { end: RefObject<HTMLDivElement>; isSeen: boolean } {
  const end = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isThere || !end.current || isSeen) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isThere, isSeen]);
  return { end, isSeen };
}
