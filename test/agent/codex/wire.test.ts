import { expect, test } from 'vitest';
import { commandInside, usageOf } from '../../../src/agent/codex/wire.js';

test.each([
  [`/bin/bash -lc 'echo hi'`, 'echo hi'],
  [`/opt/homebrew/bin/bash -lc 'echo hi'`, 'echo hi'],
  [`/nix/store/1abc-bash-5.2/bin/bash -c ls`, 'ls'],
  // Anybody may have put a program of this name there, and it would run.
  [`./bash -lc 'echo hi'`, `./bash -lc 'echo hi'`],
  [`/tmp/bin/bash -lc ls`, '/tmp/bin/bash -lc ls'],
  [`/bin/../tmp/sh -c ls`, '/bin/../tmp/sh -c ls'],
  [`bash -c "echo \\"a\\" \\$HOME"`, 'echo "a" $HOME'],
  [`/bin/zsh -lc 'it'\\''s'`, `it's`],
  [`/bin/bash -lc 'a'"'"'b'`, `a'b`],
  ['/bin/sh -c ls', 'ls'],
  [`/bin/bash -lc 'rm -rf x\nls'`, 'rm -rf x\nls'],
  [`/bin/bash -lc 'ls' more`, `/bin/bash -lc 'ls' more`],
  [`/bin/bash -lc 'not closed`, `/bin/bash -lc 'not closed`],
  ['ls -la', 'ls -la'],
  ['', ''],
])('the command inside %j', (display, command) => {
  expect(commandInside(display)).toBe(command);
});

test.each([
  ['only zeros are unknown', { input_tokens: 0, output_tokens: 0 }, undefined],
  ['nothing is unknown', {}, undefined],
  ['an answer to nothing', { input_tokens: 0, output_tokens: 7 }, { inputTokens: 0, outputTokens: 7 }],
  ['nothing said', { input_tokens: 7, output_tokens: 0 }, { inputTokens: 7, outputTokens: 0 }],
  [
    'what was cached is told apart',
    { inputTokens: 10, cachedInputTokens: 4, cacheWriteInputTokens: 1, outputTokens: 3, reasoningOutputTokens: 2 },
    { inputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 1, outputTokens: 3, thinkingTokens: 2 },
  ],
  [
    'never less than none',
    { input_tokens: 1, cached_input_tokens: 4, output_tokens: 3 },
    { inputTokens: 0, cacheReadTokens: 4, outputTokens: 3 },
  ],
])('usage: %s', (_, wire, usage) => {
  expect(usageOf(wire)).toEqual(usage);
});
