/**
 * Sessions that a limit of the account stopped: one small file for each stopped run, in glassbox's own data on the machine where it ran,
 * whole at every moment. Whether it still counts is for the store to tell: a session that went on is not parked.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { stateDirectory } from '../run/index.js';

export interface ParkedRun {
  /** The run that was stopped. */
  runId: string;
  agent: string;
  /** To resume with. */
  agentSessionId: string;
  cwd?: string;
  /** Which store keeps it, as it calls itself. */
  store: string;
  /** Ms since the epoch, as the other moments. */
  parkedAt: number;
  /** When the limit ends. */
  until: number;
  /** Which limit, as the agent calls it. */
  window?: string;
  /** When it goes on by itself; absent: when a person says so. */
  goesOnAt?: number;
  /** How many limits it may wait for by itself, this one included. */
  timesLeft: number;
  /** What is left of its budget. */
  budgetUsd?: number;
  budgetTokens?: number;
  /** Why it could not go on by itself. */
  failed?: string;
}

/** Where they are. */
export function parkingDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'parked');
}

/** At once, so that it is there when anybody can hear that the run ended. */
export function writeParked(dir: string, record: ParkedRun): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, `${nameOf(record.runId)}.json`);
  const made = `${file}-${randomUUID()}`;
  writeFileSync(made, JSON.stringify(record), { mode: 0o600 });
  renameSync(made, file);
}

export function readParked(dir: string, runId: string): Promise<ParkedRun | undefined> {
  return readFileOf(path.join(dir, `${nameOf(runId)}.json`));
}

/** The one that goes on first, first. */
export async function readAllParked(dir: string): Promise<ParkedRun[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(names.map((name) => readFileOf(path.join(dir, name))));
  return records.filter((record) => record !== undefined).sort((one, other) => dueAt(one) - dueAt(other));
}

/** With the claims to it. */
export async function removeParked(dir: string, runId: string): Promise<void> {
  const name = nameOf(runId);
  await rm(path.join(dir, `${name}.json`), { force: true });
  for (const claim of (await readdir(dir).catch(() => [])).filter((one) => one.startsWith(`${name}.claim-`)))
    await rm(path.join(dir, claim), { force: true });
}

/** When it goes on, or could. */
export const dueAt = ({ goesOnAt, until }: ParkedRun): number => goesOnAt ?? until;

/** A run's id may be anything; the name of a file may not. */
export function nameOf(runId: string): string {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(runId)
    ? runId
    : createHash('sha256').update(runId).digest('hex').slice(0, 32);
}

async function readFileOf(file: string): Promise<ParkedRun | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isParked(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isParked(value: unknown): value is ParkedRun {
  if (typeof value !== 'object' || value === null) return false;
  const { runId, agentSessionId, until, timesLeft } = value as Partial<ParkedRun>;
  return [runId, agentSessionId].every((one) => typeof one === 'string') && [until, timesLeft].every(Number.isFinite);
}
