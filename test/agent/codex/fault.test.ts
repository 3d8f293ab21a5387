/** What to do about failures of Codex that no category names. */
import { expect, test } from 'vitest';
import { codexFault } from '../../../src/agent/codex/fault.js';

test('a session that its own program still has is named as such, with who has it and how it lets go', () => {
  const { hint } = codexFault('thread 01a1ef47-4a22-7e43-b52a-4da1b635b45d already has an active writer');
  expect(hint).toContain('glassbox open');
  expect(hint).toContain('codex app-server daemon stop');
  expect(codexFault('Something else').hint).toBe(undefined);
});
