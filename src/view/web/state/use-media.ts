/** Whether the window is as a media query says. */
import { useEffect, useState } from 'preact/hooks';

export function useMedia(query: string): boolean {
  const [isSo, setSo] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setSo(list.matches);
    look();
    list.addEventListener('change', look);
    return () => list.removeEventListener('change', look);
  }, [query]);
  return isSo;
}
