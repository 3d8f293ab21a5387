import { expect, test } from 'vitest';
import { refuseUnknown } from '../../src/event/option.js';

const few = { from: true, to: true } as const;
const many = {
  model: true,
  prompt: true,
  permission: true,
  timeoutMs: true,
  budgetUsd: true,
  rules: true,
  cwd: true,
} as const;

test('known options pass, and so do none', () => {
  expect(() => refuseUnknown('move', { from: 1, to: 2 }, few)).not.toThrow();
  expect(() => refuseUnknown<{ from?: 1; to?: 2 }>('move', undefined, few)).not.toThrow();
});

test('an unknown one is named, with all there are or the nearest', () => {
  const given = (options: object) => options as Record<keyof typeof few, number>;
  expect(() => refuseUnknown('move', given({ form: 1 }), few)).toThrow('move has no option "form"; it has from, to.');
  const wanted = (options: object) => options as Record<keyof typeof many, unknown>;
  expect(() => refuseUnknown('run', wanted({ timeout: 1 }), many)).toThrow(
    'run has no option "timeout"; the nearest is "timeoutMs".',
  );
  expect(() => refuseUnknown('run', wanted({ constructor: 1 }), many)).toThrow('has no option "constructor"');
  expect(() => refuseUnknown('run', wanted({ workDir: 1 }), many)).toThrow(
    'run has no option "workDir"; it has model, prompt, permission, timeoutMs, budgetUsd, rules, cwd.',
  );
});
