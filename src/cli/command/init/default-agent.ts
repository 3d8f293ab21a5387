/** Writes the agent that is meant when none is named into the user's own file; whatever else stands there stays. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../../../event/index.js';
import { readSettings, writeSettings } from '../../../hook/settings-file.js';
import { userFile } from '../../../run/index.js';

export async function setDefaultAgent(agent: string, surroundings: Parameters<typeof userFile>[0]): Promise<void> {
  const named = userFile(surroundings);
  await mkdir(path.dirname(named), { recursive: true });
  const file = await readSettings(named);
  const settings = file.text === undefined ? {} : parsed(file.text, named);
  await writeSettings(file, `${JSON.stringify({ ...settings, agent }, undefined, 2)}\n`);
}

function parsed(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new GlassboxError('invalid-request', `${file} is not JSON as glassbox reads it. Nothing was changed.`);
}
