/** The field to search with; the slash key leads to it from everywhere. */
import { Search } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from '../../state/key.js';

const TYPING_PAUSE_MS = 200;

export function SearchBox({ onQuery }: { onQuery: (query: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const type = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onQuery(text.trim()), text === '' ? 0 : TYPING_PAUSE_MS);
  };
  return (
    <search class="search">
      <Search size={16} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        placeholder="Search everything"
        aria-label="Search in all sessions"
        aria-keyshortcuts="/"
        maxLength={500}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          event.currentTarget.value = '';
          type('');
          event.currentTarget.blur();
        }}
      />
    </search>
  );
}
