import type { CommandRequest } from './command.js';
import { isObject, parsed } from './field.js';

/** For agents that take MCP servers as JSON only: the objection to a path, as `Agent.cannot` wants it. */
export function inlineServersOnly({ mcpConfig }: Pick<CommandRequest, 'mcpConfig'>): string | undefined {
  const isInline = mcpConfig === undefined || isObject(parsed(mcpConfig));
  return isInline ? undefined : 'read MCP servers from a file (mcpConfig). Give them as JSON.';
}
