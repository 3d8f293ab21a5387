/** The real server with the built page and the fake agent, which notes what it is told. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { howToGet } from '../../src/agent/index.js';
import { agentNamed } from '../../src/decode/index.js';
import { permissionsOf } from '../../src/run/process/describe-agent.js';
import type { ServerOptions } from '../../src/server/index.js';
import type { Step } from '../fake-agent/lines.js';
import { obedient, temporaryDirectory } from '../fake-agent/play.js';
import { type Served, serve, startServing } from '../server/serve.js';

export interface ServedPage extends Served {
  /** The agent's own question, by its id → our answer. */
  replies(): Map<string, unknown>;
  /** Whatever the agent was told, as text. */
  told(): string;
}

export const PAGE_FOLDER = path.resolve(import.meta.dirname, '../../dist/web');

/** For one test. */
export async function servePage(script: readonly Step[], options: Partial<ServerOptions> = {}): Promise<ServedPage> {
  const { runDefaults, ...heard } = prepare(script);
  return { ...(await serve(script, { ...PAGE, runDefaults, ...options })), ...heard };
}

/** For several, each with a script of its own: the server asks how an agent is run whenever it starts one. */
export async function servePages(options: Partial<ServerOptions> = {}) {
  let current = prepare([]);
  const served = await startServing([], { ...PAGE, ...options, runDefaults: async () => current.runDefaults });
  return {
    ...served,
    play(script: readonly Step[]): ServedPage {
      current = prepare(script);
      const { runDefaults: _, ...heard } = current;
      return { ...served, ...heard };
    },
  };
}

/** How the scripted agent is run, and what it then heard. */
function prepare(script: readonly Step[]) {
  const log = path.join(temporaryDirectory(), 'log');
  const { program, env, survivorGraceMs } = obedient(script, { FAKE_AGENT_LOG: log });
  const told = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const replies = () => {
    const lines = told().split('\n').filter(Boolean);
    const answers = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'control_response');
    return new Map<string, unknown>(answers.map(({ response }) => [response.request_id, response.response]));
  };
  return { runDefaults: { program, env, survivorGraceMs }, told, replies };
}

/** What a server needs for the page. */
export const PAGE: Partial<ServerOptions> = { pageFolder: PAGE_FOLDER, agents: async () => [scriptedAgent()] };

/** The one that the fake agent stands for. */
export function scriptedAgent(known = 'claude') {
  const agent = agentNamed(known);
  if (!agent) throw new Error('the fake agent stands for one that is gone');
  const { name, title, program, capabilities, efforts = [], attachments = [] } = agent;
  const facts = {
    installed: true,
    install: howToGet(program),
    permissions: permissionsOf(agent),
    efforts: [...efforts],
    attachments: [...attachments],
  };
  return { name, title, capabilities: { ...capabilities }, ...facts };
}
