/** Keys that act on the page must not act on what somebody writes, nor where a question waits for an answer. */

export function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A question that waits, or a dialog. */
export function isQuestionOpen(): boolean {
  return document.querySelector('[data-question], dialog[open]') !== null;
}

/** Also one that was put off: an agent that is interrupted takes its question back. */
export function isQuestionLeft(): boolean {
  return isQuestionOpen() || document.querySelector('[data-put-off]') !== null;
}
