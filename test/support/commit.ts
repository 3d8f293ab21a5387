/** Runs once before all tests: the commit is where random examples come from. A copy without its history has one, too. */
import { execFileSync } from 'node:child_process';

export default function setup(): void {
  process.env.GLASSBOX_TEST_SEED ??= String(Number.parseInt(commit().slice(0, 7), 16));
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '0';
  }
}
