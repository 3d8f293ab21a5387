/** What "always" means, in neutral words, the narrowest first. */
import { expect, test } from 'vitest';
import { readSuggestions } from '../../src/agent/claude-lines/suggestion.js';
import type { Suggestion } from '../../src/event/index.js';

const kinds = { Bash: 'execute', Read: 'read', Edit: 'edit', WebFetch: 'fetch' } as const;
const kindOf = (tool: string) =>
  new Map<string, (typeof kinds)[keyof typeof kinds]>(Object.entries(kinds)).get(tool) ?? 'other';
const rules = (...list: [toolName: string, ruleContent?: string][]) =>
  list.map(([toolName, ruleContent]) => ({ toolName, ...(ruleContent && { ruleContent }) }));

test.each<[string, Record<string, unknown>, Suggestion]>([
  [
    'a command, for this project',
    { type: 'addRules', rules: rules(['Bash', 'npm test:*']), behavior: 'allow', destination: 'localSettings' },
    { allows: 'command', what: ['npm test *'], lasts: 'project', file: '.claude/settings.local.json' },
  ],
  [
    'several commands, shared with the project',
    {
      type: 'addRules',
      rules: rules(['Bash', 'a *'], ['Bash', 'b *']),
      behavior: 'allow',
      destination: 'projectSettings',
    },
    { allows: 'command', what: ['a *', 'b *'], lasts: 'project', file: '.claude/settings.json' },
  ],
  [
    'paths, for the user',
    { type: 'addRules', rules: rules(['Read', '//tmp/**']), behavior: 'allow', destination: 'userSettings' },
    { allows: 'path', what: ['//tmp/**'], lasts: 'user', file: '~/.claude/settings.json' },
  ],
  [
    'a host',
    { type: 'addRules', rules: rules(['WebFetch', 'domain:example.org']), behavior: 'allow', destination: 'session' },
    { allows: 'host', what: ['example.org'], lasts: 'session' },
  ],
  [
    'something else, in the words of the agent',
    { type: 'addRules', rules: rules(['Skill', 'commit']), behavior: 'allow', destination: 'session' },
    { allows: 'other', what: ['Skill(commit)'], lasts: 'session' },
  ],
  [
    'a whole tool',
    { type: 'addRules', rules: rules(['Bash']), behavior: 'allow', destination: 'session' },
    { allows: 'tool', what: ['Bash'], lasts: 'session' },
  ],
  [
    'things of several kinds, in the words of the agent',
    { type: 'addRules', rules: rules(['Bash', 'ls'], ['Read', '/x']), behavior: 'allow', destination: 'session' },
    { allows: 'other', what: ['Bash(ls)', 'Read(/x)'], lasts: 'session' },
  ],
  [
    'what is no allowance',
    { type: 'addRules', rules: rules(['Bash', 'ls']), behavior: 'deny', destination: 'session' },
    { allows: 'other', what: ['deny Bash(ls)'], lasts: 'session' },
  ],
  [
    'a directory',
    { type: 'addDirectories', directories: ['/tmp'], destination: 'session' },
    { allows: 'directory', what: ['/tmp'], lasts: 'session' },
  ],
  [
    'a mode, somewhere unknown',
    { type: 'setMode', mode: 'acceptEdits' },
    { allows: 'mode', what: ['accept-edits'], lasts: 'unknown' },
  ],
])('%s', (_, form, suggestion) => {
  expect(readSuggestions([form], kindOf)).toEqual([{ suggestion, form }]);
});

test('the narrowest comes first, and the agent hears its own form of it', () => {
  const forms = [
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    { type: 'addRules', rules: rules(['Bash']), behavior: 'allow', destination: 'session' },
    { type: 'addRules', rules: rules(['Bash', 'ls']), behavior: 'allow', destination: 'userSettings' },
    { type: 'addRules', rules: rules(['Bash', 'ls']), behavior: 'allow', destination: 'session' },
  ];
  const [mode, tool, forEver, once] = forms;
  expect(readSuggestions(forms, kindOf).map(({ form }) => form)).toEqual([once, forEver, tool, mode]);
});

test('buttons of a dialog are no suggestions', () => {
  const buttons = [
    { type: 'allow', label: 'Allow Command', description: 'Execute: touch made.txt' },
    { type: 'deny', label: 'Deny', description: 'Block this command execution' },
  ];
  expect(readSuggestions(buttons, kindOf)).toEqual([]);
});
