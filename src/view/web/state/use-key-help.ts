/** Whether the keys are shown: `?` opens them, unless somebody writes or something else is open. */
import { useEffect, useState } from 'preact/hooks';
import { isTyping } from './key.js';

export function useKeyHelp(): [isOpen: boolean, close: () => void] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return [isOpen, () => setOpen(false)];
}
