/** The MCP servers of a session as nearly all agents list them: a name, and a word for how it stands. */
import { defined, type McpServer } from '../event/index.js';
import { isObject, list, string } from './field.js';

export function mcpServersOf(value: unknown): McpServer[] {
  return list(value).flatMap((entry) => {
    const { name, status } = isObject(entry) ? entry : { name: entry, status: undefined };
    return string(name) === undefined ? [] : [mcpServer(name, status)];
  });
}

export const mcpServer = (name: unknown, status: unknown): McpServer =>
  defined({ name: string(name) ?? '', status: string(status) });
