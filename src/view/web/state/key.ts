/** Keys that act on the page must not act on what somebody writes or on an open sheet. */

export function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function isSheetOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
