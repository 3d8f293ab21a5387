import { describe, expect, it } from 'vitest';
import { amp } from '../../../src/agent/amp/index.js';
import type { Permission } from '../../../src/agent/index.js';
import { requestFor } from '../drive.js';

/** What the first rule that fits says of a tool. */
function verdict(permission: Permission, tool: string): string | undefined {
  const [file] = amp.command(requestFor({ permission })).files ?? [];
  const rules: { tool: string; action: string }[] = JSON.parse(file?.text ?? '{}')['amp.permissions'] ?? [];
  return rules.find((rule) => rule.tool === tool || rule.tool === '*')?.action;
}

describe('Amp runs nearly everything unasked and can ask nobody, so its settings refuse', () => {
  it.each([
    ['deny', { Read: 'allow', Grep: 'allow', Bash: 'reject', edit_file: 'reject', mcp__a__b: 'reject' }],
    ['plan', { Read: 'allow', shell_command: 'reject', create_file: 'reject' }],
    ['ask', { Read: 'allow', Bash: 'reject', web_search: 'reject', apply_patch: 'reject' }],
    ['accept-edits', { Read: 'allow', Bash: 'reject', edit_file: 'allow', apply_patch: 'allow' }],
    ['bypass', { Read: undefined, Bash: undefined }],
  ] as const)('%s', (permission, expected) => {
    const found = Object.keys(expected).map((tool) => [tool, verdict(permission, tool)]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('says that the settings of the user are not used', () => {
    const codes = (permission: Permission) =>
      amp
        .createProtocol(requestFor({ permission }))
        .start()
        .events.flatMap((event) => (event.type === 'warning' ? event.code : []));
    expect(codes('deny')).toEqual(['settings-replaced']);
    expect(codes('bypass')).toEqual([]);
  });
});
