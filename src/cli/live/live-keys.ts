/**
 * The keyboard while something lives on the screen: what is typed would tear it, so the terminal does not show it by itself. Ctrl-C and
 * Ctrl-Z do what they always do; a line is typed below the status, survives a question, and is said with Enter where somebody listens.
 */
import { StringDecoder } from 'node:string_decoder';
import { cutToWidth } from '../../view/text/cut-to-width.js';
import { safe } from '../../view/text/safe.js';

/** What keys do besides. */
export interface KeyUse {
  /** Says a line; gives back what to tell the person, or undefined when it was said. */
  say?(text: string): string | undefined;
  /** Esc. */
  interrupt?(): void;
}

export interface LiveKeys extends Disposable {
  attach(): void;
  /** The keyboard is somebody else's; what was typed stays. */
  detach(): void;
  /** What is typed, and what became of it. */
  rows(look: { width: number }): string[];
  hint(): string | undefined;
}

export interface LiveKeysOptions extends KeyUse {
  onChange(): void;
  suspend(): void;
}

export function createLiveKeys(
  process: NodeJS.Process,
  { say, interrupt, onChange, suspend }: LiveKeysOptions,
): LiveKeys | undefined {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const decoder = new StringDecoder('utf8');
  let typed = '';
  let remark: string | undefined;
  let isAttached = false;

  function onData(data: Buffer | string): void {
    const text = typeof data === 'string' ? data : decoder.write(data);
    if (text === ESCAPE) interrupt?.();
    else for (const key of text.match(KEYS) ?? []) press(key);
    onChange();
  }

  function press(key: string): void {
    remark = undefined;
    if (key === '\u0003') process.emit('SIGINT', 'SIGINT');
    else if (key === '\u001a' && process.platform !== 'win32') suspend();
    else if (key === '\u001c') process.kill(process.pid, 'SIGQUIT');
    else if (!say) return;
    else if (key === '\r' || key === '\n') sayLine(say);
    else if (key === '\u007f' || key === '\b') typed = [...typed].slice(0, -1).join('');
    else if (key === '\u0015') typed = '';
    else if (key === '\u0017') typed = typed.slice(0, typed.trimEnd().lastIndexOf(' ') + 1);
    else if (key >= ' ') typed += key;
  }

  function sayLine(to: NonNullable<KeyUse['say']>): void {
    if (typed.trim() === '') return;
    remark = to(typed);
    if (remark !== undefined) return;
    remark = `said: ${typed}`;
    typed = '';
  }

  function attach(): void {
    if (isAttached) return;
    isAttached = true;
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  }

  function detach(): void {
    if (!isAttached) return;
    isAttached = false;
    stdin.off('data', onData);
    stdin.pause();
    stdin.setRawMode(false);
  }

  process.on('exit', detach);
  return {
    attach,
    detach,
    rows: ({ width }) => [
      ...(remark === undefined ? [] : [cutToWidth(`   ${safe(remark).replaceAll('\n', ' ')}`, width)]),
      ...(typed === '' ? [] : [lastOf(`> ${safe(typed)}▌`, width)]),
    ],
    hint: () => HINTS[`${interrupt !== undefined}/${say !== undefined}`],
    [Symbol.dispose]() {
      detach();
      process.off('exit', detach);
    },
  };
}

const ESCAPE = '\u001b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of keys begin with one
const KEYS = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O?.)|./gsu;
const HINTS: Readonly<Record<string, string>> = {
  'true/true': 'Esc interrupts · type to add',
  'true/false': 'Esc interrupts',
};

/** Of a long line its end, where one types. */
function lastOf(line: string, width: number): string {
  const characters = [...line];
  while (characters.length > width) characters.shift();
  return characters.join('');
}
