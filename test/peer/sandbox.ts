/** A fresh home and project for one run of a real agent, and the proof that nothing of it is left. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Sandbox {
  /** The project that the agent works in. */
  readonly cwd: string;
  readonly home: string;
  /** Holds both, and nothing of anybody else. */
  readonly folder: string;
  /** Variables for the child, with every other one of this machine that could disturb removed. */
  readonly env: Record<string, string | undefined>;
  file(name: string): string;
  remove(): void;
}

export function createSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-peer-'));
  const [cwd, home, temporary] = ['repo', 'home', 'tmp'].map((name) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  }) as [string, string, string];
  const keys = Object.keys(process.env).filter((name) => /_API_KEY$|^ANTHROPIC_|^OPENAI_|^CLAUDE/.test(name));
  return {
    cwd,
    home,
    folder,
    env: {
      ...Object.fromEntries(keys.map((name) => [name, undefined])),
      HOME: home,
      // A shell says so, and some programs believe it more than where they were started.
      PWD: cwd,
      TMPDIR: temporary,
      XDG_CONFIG_HOME: undefined,
      XDG_DATA_HOME: undefined,
      XDG_STATE_HOME: undefined,
      XDG_CACHE_HOME: undefined,
    },
    file: (name) => join(cwd, name),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Live processes that carry one of these marks in their environment, their arguments or their directory. */
export function processesWith(...marks: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false;
        const traces = [
          readFileSync(`/proc/${pid}/environ`, 'utf8'),
          readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
          readlinkSync(`/proc/${pid}/cwd`),
        ];
        return marks.some((mark) => traces.some((trace) => trace.includes(mark)));
      } catch {
        return false;
      }
    });
}
