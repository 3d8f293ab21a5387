/** Starts `keeper.mjs`, another process that owns a run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Step } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';

interface Line {
  type?: string;
  failure?: string;
  reason?: string;
  detail?: string;
}

export interface Keeper {
  readonly process: ChildProcess;
  /** Settles with the first line that has all of this, also one that was printed before. */
  says(part: Line): Promise<Line>;
}

export function startKeeper(file: string, runId: string, script: readonly Step[]): Keeper {
  const program = fileURLToPath(new URL('keeper.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, file, runId, FAKE_AGENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: temporaryDirectory(),
    env: { ...process.env, FAKE_AGENT_SCRIPT: scriptVariable(script) },
  });
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return {
    process: child,
    says: (part) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((line) =>
            Object.entries(part).every(([key, value]) => line[key as keyof Line] === value),
          );
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
