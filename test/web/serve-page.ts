/** The real server with the built page and the fake agent, which notes what it is told. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { agentNamed } from '../../src/decode/index.js';
import type { ServerOptions } from '../../src/server/index.js';
import type { Step } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';
import { type Served, serve } from '../server/serve.js';

export interface ServedPage extends Served {
  /** The agent's own question, by its id → our answer. */
  replies(): Map<string, unknown>;
  /** Whatever the agent was told, as text. */
  told(): string;
}

export const PAGE_FOLDER = path.resolve(import.meta.dirname, '../../dist/web');

export async function servePage(script: readonly Step[], options: Partial<ServerOptions> = {}): Promise<ServedPage> {
  const log = path.join(temporaryDirectory(), 'log');
  const { program, env, survivorGraceMs } = scripted(script, { env: { FAKE_AGENT_LOG: log } });
  const served = await serve(script, {
    pageFolder: PAGE_FOLDER,
    agents: async () => [scriptedAgent()],
    runDefaults: { program, env, survivorGraceMs },
    ...options,
  });
  const told = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const replies = () => {
    const lines = told().split('\n').filter(Boolean);
    const answers = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'control_response');
    return new Map<string, unknown>(answers.map(({ response }) => [response.request_id, response.response]));
  };
  return { ...served, told, replies };
}

/** The one that the fake agent stands for. */
export function scriptedAgent() {
  const agent = agentNamed('claude');
  if (!agent) throw new Error('the fake agent stands for one that is gone');
  const { name, title, program, capabilities } = agent;
  return { name, title, installed: true, install: program.install, capabilities: { ...capabilities } };
}
