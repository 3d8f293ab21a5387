/** Says on a terminal what is being done, when it takes longer than anybody would wait without a word. */

const PATIENCE_MS = 1000;

export function createWaitLine(text: string, stderr: { isTTY?: boolean; write(text: string): boolean }): Disposable {
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = stderr.isTTY === true;
    if (isShown) stderr.write(`\r\x1b[K${text} …`);
  }, PATIENCE_MS);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      if (isShown) stderr.write('\r\x1b[K');
    },
  };
}
