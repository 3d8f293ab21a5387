/** What is played to the observer: sessions as people have them, with what is true at each moment. */
import { existsSync } from 'node:fs';
import { startHeadless } from '../headless.js';
import { callTool, type Peer } from '../peer.js';
import { hold, type Observed, type Play } from './observed.js';

const WORDS = 'please go on';
const ASKED = /\b(allow|approve|proceed|permission|yes)\b/i;

/** Lines that ask something; a greeting or a footer may have such words too, so that only new ones count. */
const askingIn = (screen: string): string[] =>
  tail(screen)
    .split('\n')
    .filter((line) => ASKED.test(line));

/** In a terminal: asked, worked, allowed, done, suspended, woken, killed. */
export function inTerminal(peer: Peer, ...args: string[]): Play {
  const call = peer.shell('touch made.txt; sleep 4');
  return {
    name: 'terminal',
    script:
      (hold) =>
      ({ n }) =>
        n === 0 ? { ...call, text: 'One moment please', hold } : { text: 'All done.' },
    async perform(observed, letGo) {
      const { is, until, stage, signal } = observed;
      await using terminal = observed.open(...args);
      await say(observed, terminal);
      is('working');
      await hold();
      const before = new Set(askingIn(terminal.read()));
      letGo();
      const made = () => existsSync(stage.sandbox.file('made.txt'));
      const asks = () => askingIn(terminal.read()).some((line) => !before.has(line));
      await until('a question or the work', () => made() || asks());
      if (!made()) {
        is('waiting');
        await hold();
        terminal.type('\r');
        is('working');
        await until('the work', made);
      }
      await until('the answer', () => terminal.read().includes('All done.'));
      is('idle');
      await hold();
      signal('SIGSTOP');
      is('parked');
      await hold();
      signal('SIGCONT');
      is('idle');
      await hold();
      signal('SIGKILL');
      is('ended');
      await hold();
    },
  };
}

/** Without a terminal: works and ends by itself. */
export function headless(peer: Peer): Play {
  return {
    name: 'headless',
    script: (hold) => () => ({ text: 'All done.', hold }),
    async perform(observed, letGo) {
      const child = startHeadless(peer, observed.stage, WORDS);
      await observed.until('the call', () => observed.stage.model.calls.length > 0);
      observed.is('working');
      const ended = new Promise<void>((resolve) => {
        child.once('exit', () => {
          observed.is('ended');
          resolve();
        });
      });
      await hold();
      letGo();
      // Its turn ends at some moment, and its process somewhat later.
      observed.is(undefined);
      await ended;
      await hold();
    },
  };
}

/** Without a terminal: suspended and killed in the middle of its work. */
export function killed(peer: Peer): Play {
  return {
    name: 'killed',
    script: (hold) => () => ({ text: 'All done.', hold }),
    async perform(observed) {
      const child = startHeadless(peer, observed.stage, WORDS);
      await observed.until('the call', () => observed.stage.model.calls.length > 0);
      observed.is('working');
      await hold();
      if (child.exitCode !== null) throw new Error('it does not wait for its model');
      observed.signal('SIGSTOP');
      observed.is('parked');
      await hold();
      observed.signal('SIGCONT');
      observed.is('working');
      await hold();
      observed.signal('SIGKILL');
      observed.is('ended');
      await hold();
    },
  };
}

/** Asks the person something, and is interrupted while it works on the answer. */
export function questioned(...args: string[]): Play {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: label }));
  const questions = [{ question: 'Which colour?', header: 'Colour', options, multiSelect: false }];
  return {
    name: 'question',
    script:
      (hold) =>
      ({ n }) =>
        n === 0 ? callTool('AskUserQuestion', { questions }) : { text: 'One moment please', hold },
    async perform(observed) {
      const { is, until } = observed;
      await using terminal = observed.open(...args);
      await say(observed, terminal);
      await until('the question', () => terminal.read().includes('Which colour?'));
      is('waiting');
      await hold();
      terminal.type('\r');
      await until('the second call', () => observed.stage.model.calls.length > 1);
      is('working');
      await hold();
      terminal.type('\u001b');
      await until('the interruption', () => /interrupted/i.test(terminal.read()));
      is('idle');
      await hold();
      terminal.type('/exit\r');
      await terminal.ended;
      is('ended');
      await hold();
    },
  };
}

/** Sent to the background: asks there, is stopped there. */
export function inBackground(peer: Peer, start: readonly string[], stop: (id: string) => readonly string[]): Play {
  const call = peer.shell('touch made.txt');
  return {
    name: 'background',
    script:
      (hold) =>
      ({ n }) =>
        n === 0 ? { ...call, text: 'One moment please', hold } : { text: 'All done.' },
    async perform(observed, letGo) {
      const { is, until, seen } = observed;
      observed.start(...start, WORDS);
      await until('the call', () => observed.stage.model.calls.length > 0);
      is('working');
      await hold();
      letGo();
      // Nothing shows when it asks: the transcript has the call when it is about to.
      await until('the question', () => seen()?.presence.state === 'waiting');
      is('waiting');
      await hold();
      observed.start(...stop(seen()?.sessionId ?? ''));
      await until('the end of its process', () => seen()?.presence.state !== 'waiting');
      is('parked');
      await hold();
    },
  };
}

/** A program that is starting on a busy machine hears nothing for so long. */
const AGAIN_MS = 5000;

/** Types until it is on the screen, because a program may still be starting, and sends it, until the model is called. */
export async function say(
  { until, stage }: Observed,
  terminal: { look(): string; read(): string; type(text: string): void },
): Promise<void> {
  let triedAt = Date.now();
  let isSent = false;
  const tryNow = (): boolean => {
    if (stage.model.calls.length > 0) return true;
    const screen = terminal.look();
    if (Date.now() - triedAt > AGAIN_MS) {
      triedAt = Date.now();
      // A program that begins anew forgets what was typed, and what was typed too early may stand anywhere.
      isSent = screen.includes(WORDS) && !isSent;
      terminal.type(isSent ? '\r' : WORDS);
    }
    return false;
  };
  await until('the call', tryNow).catch(({ message }: Error) => {
    throw new Error(`${message}; on its screen:\n${tail(terminal.read())}`);
  });
}

const tail = (text: string): string => text.trimEnd().split('\n').slice(-25).join('\n');
