/** How Codex spells things: `exec --json` in snake_case, the app-server the same things in camelCase. */
import type { Usage } from '../../event/index.js';
import type { CommandRequest } from '../command.js';
import { type Json, members, number, parsed } from '../field.js';

/** A member by its snake_case name, in either spelling. */
export function member(fields: Json, name: keyof typeof CAMEL): unknown {
  return fields[name] ?? fields[CAMEL[name]];
}

const CAMEL = {
  aggregated_output: 'aggregatedOutput',
  exit_code: 'exitCode',
  agent_thread_id: 'agentThreadId',
  agent_path: 'agentPath',
  revised_prompt: 'revisedPrompt',
  receiver_thread_ids: 'receiverThreadIds',
  agents_states: 'agentsStates',
  input_tokens: 'inputTokens',
  cached_input_tokens: 'cachedInputTokens',
  cache_write_input_tokens: 'cacheWriteInputTokens',
  output_tokens: 'outputTokens',
  reasoning_output_tokens: 'reasoningOutputTokens',
} as const;

/** An item type or tool name in snake_case, whichever way it came. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Codex counts cached tokens as input too; `review` runs report only zeros, which means unknown. */
export function usageOf(value: unknown): Usage | undefined {
  const fields = members(value);
  const count = (name: Parameters<typeof member>[1]) => number(member(fields, name));
  const input = count('input_tokens');
  const output = count('output_tokens');
  if (!input && !output) return undefined;
  const read = count('cached_input_tokens');
  const write = count('cache_write_input_tokens');
  const thinking = count('reasoning_output_tokens');
  return {
    ...(input !== undefined && { inputTokens: Math.max(0, input - (read ?? 0) - (write ?? 0)) }),
    ...(output !== undefined && { outputTokens: output }),
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(write !== undefined && { cacheWriteTokens: write }),
    ...(thinking !== undefined && { thinkingTokens: thinking }),
  };
}

/** The answer as the object that a schema asked for; Codex itself does not check it. */
export function structuredAnswer({ outputSchema }: Partial<CommandRequest>, answer: string | undefined): unknown {
  return outputSchema === undefined || answer === undefined ? undefined : parsed(answer);
}

/**
 * The command inside a display string such as `/bin/bash -lc 'echo hi'`: what the shell is given is what runs. A shell that lies elsewhere may
 * be anything, and is a command like any other.
 */
export function commandInside(display: string): string {
  const [, script] = SHELL.exec(display) ?? [];
  return script === undefined ? display : (unquoted(script) ?? display);
}

const SHELL =
  /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/|run\/current-system\/sw\/|nix\/store\/[\w.+-]{1,200}\/)?bin\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/;

/** One word of a shell, without its quotes; absent when it is several words, or is not closed. */
function unquoted(text: string): string | undefined {
  const parts = [...text.matchAll(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g)];
  if (parts.reduce((length, [part]) => length + part.length, 0) !== text.length) return undefined;
  return parts
    .map(([, single, double, escaped, bare]) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare)
    .join('');
}
