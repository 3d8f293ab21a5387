/** A session in the page whose agent asks before it does something. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Store } from '../../src/store/index.js';
import { ask, init, result, type Step, toolResult, toolUse } from '../fake-agent/lines.js';
import { startSession } from './browser.js';
import { useOneServer } from './one-server.js';

export const input = { command: 'touch ok.txt', description: 'a file' };
export const rule = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'touch *' }],
  behavior: 'allow',
  destination: 'localSettings',
};
const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };

export const asked = (id = 'q1', given: unknown = input, name = 'Bash'): Step[] => [
  toolUse(`t-${id}`, name, given),
  ask(id, `t-${id}`, name, given, [mode, rule]),
  { hear: `"request_id":"${id}"` },
  toolResult(`t-${id}`, 'done'),
];

export const cardIn = (page: Page, name = 'Run a command') => page.getByRole('region', { name });

/** A page that is opened before anything waits does not begin with it. */
export async function untilAsked(store: Store, runId?: string): Promise<void> {
  await expect.poll(async () => (await store.approvals(runId)).length).toBeGreaterThan(0);
}

/** Behind `useBrowser`. */
export function useAsking() {
  const open = useOneServer();
  return async (steps: readonly Step[]) => {
    const opened = await open([init(), ...steps, result('fine')]);
    await startSession(opened.page);
    return opened;
  };
}

/** With a reason, or without a word. */
export async function deny(page: Page, reason = '', name = 'Run a command'): Promise<void> {
  const card = cardIn(page, name).first();
  await card.getByRole('button', { name: 'Deny…' }).click();
  await card.getByLabel('Reason').fill(reason);
  await card.getByRole('button', { name: 'Deny', exact: true }).click();
}
