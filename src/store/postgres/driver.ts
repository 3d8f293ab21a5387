/** The package that speaks to Postgres. It is loaded only where such a store is used, and whoever has it not is told what to type. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { GlassboxError } from '../../event/index.js';
import type { Row, Value } from '../table/row.js';

export type Parameter = Value | readonly Value[];

export interface Result {
  rows: Row[];
  rowCount: number | null;
}

export interface Query {
  /** The server plans a named one once. */
  name?: string;
  text: string;
  values?: readonly Parameter[];
}

export interface Client {
  connect(): Promise<void>;
  query(query: Query | string): Promise<Result>;
  on(event: 'error' | 'end', heard: (error?: Error) => void): void;
  on(event: 'notification', heard: (message: { payload?: string }) => void): void;
  end(): Promise<void>;
  /** Whether the process lives as long as the connection does. */
  ref?(): void;
  unref?(): void;
}

export interface Driver {
  Client: new (options: object) => Client;
}

/** No literal, so that neither the compiler nor the bundler looks for a module that may not be there. */
const PACKAGE: string = 'pg';

const places: string[] = [import.meta.url];

/** Whoever brought the package says where to. */
export function alsoLookIn(folder: string): void {
  places.push(path.join(folder, 'package.json'));
}

export function hasDriver(): boolean {
  return places.some((place) => found(place) !== undefined);
}

export function loadDriver(): Driver {
  const file = places.map(found).find((one) => one !== undefined);
  try {
    return createRequire(import.meta.url)(file ?? PACKAGE) as Driver;
  } catch (error) {
    throw new GlassboxError(
      'store',
      `A store on Postgres needs the package ${PACKAGE}, which is not installed. Install it beside glassbox: npm install ${PACKAGE} (with glassbox installed globally: npm install --global ${PACKAGE}).`,
      { cause: error },
    );
  }
}

function found(place: string): string | undefined {
  try {
    return createRequire(place).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}

const INT8 = 20;
const NUMERIC = 1700;

/** Numbers as numbers: none here is too large for one. */
export const TYPES = {
  getTypeParser: (oid: number, format?: string) => {
    if (format === 'binary') return (value: unknown) => value;
    return [INT8, NUMERIC, 21, 23, 700, 701].includes(oid) ? Number : (value: string) => value;
  },
};
