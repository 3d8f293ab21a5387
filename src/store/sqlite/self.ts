/** This process, as the store knows it. */
import { hostId } from '../host.js';
import type { Self } from './owner.js';

export function describeSelf(): Self {
  return { pid: process.pid, host: hostId(), isAlive };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
