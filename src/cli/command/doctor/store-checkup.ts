/** The store as it is on this machine: where, how large, whether it can be used. */
import { accessSync, constants, statSync } from 'node:fs';
import { isAddress, type Surroundings, shownLocation, storeLocation } from '../../../store/location.js';
import { size } from '../../../word/index.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { projectName } from '../../print/session-cell.js';

export interface StoreCheckup {
  path: string;
  /** Absent while there is none. */
  bytes?: number;
  /** Present when it can only be read. */
  readOnly?: true;
  /** Why it cannot be used. */
  problem?: string;
}

/** `problem`: what was heard when it was asked. */
export async function checkStore(
  { store }: StoreFlag,
  surroundings: Surroundings,
  problem: string | undefined,
): Promise<StoreCheckup> {
  const path = store ?? storeLocation(surroundings);
  if (isAddress(path)) return { path: shownLocation(path), ...(problem !== undefined && { problem }) };
  const bytes = [path, `${path}-wal`].map(bytesOf).filter((own) => own !== undefined);
  return {
    path,
    ...(bytes.length > 0 && { bytes: bytes.reduce((sum, own) => sum + own, 0) }),
    ...(bytes.length > 0 && !isWritable(path) && { readOnly: true as const }),
    ...(problem !== undefined && { problem }),
  };
}

export function storeLine({ path, bytes, readOnly, problem }: StoreCheckup, home: string): string {
  const where = isAddress(path) ? path : projectName(path, home, Number.POSITIVE_INFINITY);
  if (problem !== undefined) return `✖ store ${where}: ${problem}`;
  if (isAddress(path)) return `✔ store ${where}`;
  if (bytes === undefined) return `✔ store ${where}, made by the first run`;
  return `✔ store ${where}, ${size(bytes)}${readOnly ? ', can only be read' : ''}`;
}

function bytesOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
