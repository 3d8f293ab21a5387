// @ts-check
/** What the drivers of vendors' SDKs share: `src/conform/attempt.ts` has the protocol that they follow. */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The program that an SDK starts in place of its agent: it prints the stream. */
export const standIn = new URL('stand-in.mjs', import.meta.url);

/** For SDKs that insist on a program that cannot be a script: any Node with these options does what the stand-in does. */
export const nodeOptions = `--import=${standIn.href}`;

/** The SDK, from where it is installed. */
export function load() {
  const folder = process.env.GLASSBOX_CONFORM_PACKAGE ?? '';
  const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const door = exports?.['.'];
  return import(pathToFileURL(join(folder, door?.import ?? door?.default ?? main)).href);
}

/** @param {() => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>} read gives what the SDK gives to its user */
export async function drive(read) {
  let ended = false;
  // Nothing is under way any more, and still the SDK has not said that it is at the end.
  process.once('exit', () => {
    if (!ended) writeSync(1, `${JSON.stringify({ fail: 'its iteration never ended' })}\n`);
  });
  try {
    for await (const item of await read()) await print({ item });
    await print({ end: true });
  } catch (error) {
    await print({ fail: error instanceof Error ? error.message : String(error) });
  }
  ended = true;
  // SDKs keep timers and pipes that would hold the process.
  process.exit();
}

/** @param {object} said */
function print(said) {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(said)}\n`, resolve));
}
