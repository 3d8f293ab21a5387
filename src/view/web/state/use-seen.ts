/** Whether the end of something was on the screen; once it was, it stays so. */
import { useEffect, useState } from 'preact/hooks';

/** `end` is the `ref` of an element behind the last line, which may come later and go meanwhile. */
export function useSeen(): { end: (element: Element | null) => void; isSeen: boolean } {
  const [element, setElement] = useState<Element | null>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element || isSeen) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return { end: setElement, isSeen };
}
