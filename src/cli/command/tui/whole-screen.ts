/**
 * The whole terminal, and its keyboard, for as long as the panels stand there: another screen than the one that people come from, which is as
 * it was when they are gone, whatever ends the process, SIGKILL too.
 */
import { StringDecoder } from 'node:string_decoder';
import { type Key, readKeys } from '../../../view/terminal/key.js';
import { setRawMode } from '../../ask/raw-mode.js';
import { guardScreen } from '../../live/screen-guard.js';
import { paintRows } from './paint-rows.js';

export interface WholeScreen extends Disposable {
  /** False while somebody else has the terminal. */
  readonly isOn: boolean;
  paint(rows: readonly string[]): void;
  /** What stands there is no longer known: all of it is written with the next picture. */
  forget(): void;
  leave(): void;
  enter(): void;
}

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?2004h';
/** Also what a picture that was cut off may have left. */
const LEAVE = '\x1b[?2026l\x1b[?7h\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l';
/** An escape that nothing follows for so long is the key. */
const ESCAPE_MS = 40;

export interface ScreenUse {
  onKey(key: Key): void;
  /** There is nothing on it yet. */
  onEnter(): void;
}

export function createWholeScreen(process: NodeJS.Process, { onKey, onEnter }: ScreenUse): WholeScreen {
  const { stdin, stdout } = process;
  const decoder = new StringDecoder('utf8');
  let shown: readonly string[] = [];
  let isOn = false;
  let rest = '';
  let timer: NodeJS.Timeout | undefined;
  let guard: Disposable | undefined;

  function take(text: string, isOver: boolean): void {
    clearTimeout(timer);
    const read = readKeys(text, isOver);
    rest = read.rest;
    if (rest !== '') timer = setTimeout(() => take(rest, true), ESCAPE_MS);
    for (const key of read.keys) onKey(key);
  }

  const onData = (data: Buffer | string) => take(rest + (typeof data === 'string' ? data : decoder.write(data)), false);

  function enter(): void {
    if (isOn) return;
    isOn = true;
    shown = [];
    guard = guardScreen(process, LEAVE);
    setRawMode(stdin, true);
    stdin.on('data', onData);
    stdin.resume();
    stdout.write(ENTER);
    onEnter();
  }

  function leave(): void {
    if (!isOn) return;
    isOn = false;
    clearTimeout(timer);
    stdin.off('data', onData);
    stdin.pause();
    try {
      setRawMode(stdin, false);
      stdout.write(LEAVE);
      guard?.[Symbol.dispose]();
    } catch {
      // The terminal is gone, and nobody is left who would see it.
    }
  }

  process.on('exit', leave);
  return {
    get isOn() {
      return isOn;
    },
    paint(rows) {
      if (!isOn) return;
      const bytes = paintRows(shown, rows);
      shown = rows;
      if (bytes !== '') stdout.write(bytes);
    },
    forget() {
      shown = [];
    },
    leave,
    enter,
    [Symbol.dispose]() {
      leave();
      process.off('exit', leave);
    },
  };
}
