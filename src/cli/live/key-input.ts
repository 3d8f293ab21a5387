/**
 * The keyboard while something lives on the screen: what is typed would tear it, so the terminal does not show it by itself, and what is
 * pasted comes in one piece. Whatever ends the process, the terminal is as it was.
 */
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import { type Key, readKeys } from '../../view/terminal/key.js';
import { setRawMode } from '../ask/raw-mode.js';
import { guardScreen } from './screen-guard.js';

export interface KeyInput extends Disposable {
  attach(): void;
  /** The keyboard is somebody else's. */
  detach(): void;
}

export interface KeyInputOptions {
  input: ReadStream;
  /** To the terminal. */
  write(text: string): unknown;
  press(keys: readonly Key[]): void;
}

/** A sequence of bytes comes in one piece, or nearly; an escape after which nothing came is the key. */
const ESCAPE_MS = 30;
const BRACKETS = '\u001b[?2004h';
const NO_BRACKETS = '\u001b[?2004l';
/** Also what a picture that was cut off may have left, and the cursor that it hid. */
const LEAVE = `\u001b[?2026l\u001b[?7h\u001b[0m${NO_BRACKETS}\u001b[?25h\r\n`;

export function createKeyInput(process: NodeJS.Process, { input, write, press }: KeyInputOptions): KeyInput {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let timer: NodeJS.Timeout | undefined;
  let isAttached = false;
  let guard: Disposable | undefined;

  function onData(data: Buffer | string): void {
    read(rest + (typeof data === 'string' ? data : decoder.write(data)), false);
  }

  function read(text: string, isOver: boolean): void {
    clearTimeout(timer);
    const { keys, rest: unread } = readKeys(text, isOver);
    rest = unread;
    if (rest !== '' && !isOver) timer = setTimeout(() => read(rest, true), ESCAPE_MS);
    if (keys.length > 0) press(keys);
  }

  function attach(): void {
    if (isAttached) return;
    isAttached = true;
    guard = guardScreen(process, LEAVE);
    setRawMode(input, true);
    input.on('data', onData);
    input.resume();
    write(BRACKETS);
  }

  function detach(): void {
    if (!isAttached) return;
    isAttached = false;
    clearTimeout(timer);
    input.off('data', onData);
    input.pause();
    setRawMode(input, false);
    write(NO_BRACKETS);
    guard?.[Symbol.dispose]();
  }

  process.on('exit', detach);
  return {
    attach,
    detach,
    [Symbol.dispose]() {
      detach();
      process.off('exit', detach);
    },
  };
}
