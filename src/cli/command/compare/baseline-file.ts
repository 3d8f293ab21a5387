/** The baseline of a comparison as a file of the user's. */
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../../checkpoint/index.js';
import { type Baseline, isBaseline } from '../../../compare/index.js';
import { GlassboxError } from '../../../event/index.js';

export async function readBaseline(file: string): Promise<Baseline> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new GlassboxError('read-failed', `The baseline could not be read from ${file}. --save writes one.`, {
      cause,
    });
  });
  const value = parsed(text);
  if (!isBaseline(value))
    throw new GlassboxError('invalid-request', `${file} is no baseline of glassbox compare. --save writes one.`);
  return value;
}

export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  await replaceFile(file, `${JSON.stringify(baseline, undefined, 2)}\n`).catch((cause: unknown) => {
    throw new GlassboxError('write-failed', `The baseline could not be written to ${file}.`, { cause });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
