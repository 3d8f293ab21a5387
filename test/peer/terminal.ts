/** A real agent's own program in a terminal of its own, as a person would have it. */
import { spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { processesWith } from './sandbox.js';
import type { Stage } from './stage.js';

export interface OpenTerminal extends AsyncDisposable {
  readonly pid: number;
  /** What is on the screen. */
  read(): string;
  /** The same, and agrees to whatever the program wants to know before it begins. */
  look(): string;
  type(text: string): void;
  /** Resolves when the program is gone. */
  readonly ended: Promise<void>;
}

/** A key that nobody heard is pressed again. */
const AGAIN_MS = 3000;

export function openTerminal({ program, env, sandbox }: Stage, args: readonly string[]): OpenTerminal {
  const size = { cols: 120, rows: 40 };
  const screen = new Terminal({ ...size, allowProposedApi: true });
  const [file, ...before] = /\.m?js$/.test(program) ? [process.execPath, program] : [program];
  const variables = Object.entries({ ...process.env, ...env, TERM: 'xterm-256color' });
  // A build server says so in these; programs that see one draw nothing and ask nothing, and here sits a person.
  const ofBuildServer = /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/;
  const child = spawn(file, [...before, ...args], {
    ...size,
    cwd: sandbox.cwd,
    env: Object.fromEntries(variables.filter(([name, value]) => value !== undefined && !ofBuildServer.test(name))),
  });
  const ended = new Promise<void>((resolve) => void child.onExit(() => resolve()));
  child.onData((data) => screen.write(data));
  screen.onData((data) => child.write(data));
  let agreed = '';
  let agreedAt = 0;
  const read = (): string => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true));
    return lines.join('\n');
  };
  return {
    pid: child.pid,
    ended,
    type: (text) => child.write(text),
    read,
    look() {
      const text = read();
      const question = /.*\b(trust|confirm)\b.*/i.exec(text)?.[0] ?? '';
      // It may not have listened yet when it asked.
      const isUnheard = question !== '' && Date.now() - agreedAt > AGAIN_MS;
      if (question !== agreed || isUnheard) {
        agreed = question;
        agreedAt = Date.now();
        child.write('\r');
      }
      return text;
    },
    async [Symbol.asyncDispose]() {
      for (const pid of processesWith(sandbox.folder)) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}
