/** A half-written message: it is still there when the page is loaded again, whatever the reason was. */
import { useState } from 'preact/hooks';

/** `about` names what it is written for: a session, or a new one. */
export function useDraft(about: string): [text: string, setText: (text: string) => void] {
  const key = `draft ${about}`;
  const [text, setText] = useState(() => read(key));
  return [
    text,
    (next) => {
      setText(next);
      write(key, next);
    },
  ];
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing, or has no room: the text lives as long as the page.
  }
}
