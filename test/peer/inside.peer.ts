/** The real Claude Code, told by its model to answer its own question: nothing lets it, and the run tells of it. */
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { CLI, start, temporaryFile } from '../cli/glassbox.js';
import { comeIn } from '../server/as-browser.js';
import { serve } from '../server/serve.js';
import { claude } from './agent/claude.js';
import { sequence } from './model/turn.js';
import { callTool } from './peer.js';
import { only } from './play.js';
import { createStage, type Stage } from './stage.js';

const SELF_APPROVER = path.resolve(import.meta.dirname, 'self-approver.mjs');

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

const REFUSED = {
  answer: expect.stringMatching(/^403 .*from inside a run/),
  'answer without a token': expect.stringMatching(/^403 .*from inside a run/),
  'answer in hiding': expect.stringMatching(/^403 .*from inside a run/),
  'answer by the library': expect.stringContaining('Nobody can answer an agent from inside a run'),
  'ask for a link': expect.stringMatching(/^403 .*from inside a run/),
  'serve --link': expect.stringContaining('Nobody can let a browser in from inside a run'),
  'serve --link in hiding': expect.stringContaining('Nobody can let a browser in from inside a run'),
};
/** What the library refuses by itself is told nowhere. */
const SHOWN = ['answer-from-inside', 'answer-from-inside', 'answer-from-inside', 'act-from-inside'];
/** `serve --link`, which tells the run by way of the store that everybody of this home uses. */
const SHOWN_BY_STORE = ['act-from-inside', 'act-from-inside'];

test('with all that it finds in the home of the person who runs `glassbox serve`', async () => {
  const { accomplice, sandbox, env, program } = await setUp();
  const config = temporaryFile('own.json', JSON.stringify({ agents: { claude: { program } } }));
  const place = { GLASSBOX_CONFIG: config, GLASSBOX_STATE_DIR: undefined, GLASSBOX_STORE: undefined };
  const words = ['serve', '--port=0', '--no-open', '--project', sandbox.cwd];
  const { child, printed, ended } = start(words, { ...env, ...place });
  let output = '';
  child.stdout.on('data', (text: string) => {
    output += text;
  });
  try {
    await printed('/#login=');
    await printed('\n\n');
    const link = /http:\S+/.exec(output)?.[0] ?? '';
    const { origin: url } = new URL(link);
    const browser = await comeIn(url, link);
    const client = createClient({ fetch: (target, init) => browser.fetch(target, init) });
    const { told, warnings } = await denyTheSecond(client, accomplice, { url });
    expect(told).toEqual(REFUSED);
    expect(warnings).toEqual([...SHOWN, ...SHOWN_BY_STORE]);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
});

test('with a token of the person that may do everything', async () => {
  const { accomplice, sandbox, env, program } = await setUp();
  const { server, client } = await serve([], { projects: [sandbox.cwd], runDefaults: { program, env } });
  try {
    const { told, warnings } = await denyTheSecond(client, accomplice, { url: server.url, token: server.token });
    expect(told).toEqual(REFUSED);
    expect(warnings).toEqual(SHOWN);
  } finally {
    await server.close();
  }
});

/** A model that wants two commands: one that answers, in the background, and one that is to be answered. */
async function setUp() {
  const accomplice = await startAccomplice();
  const words = [process.execPath, SELF_APPROVER, accomplice.url, path.dirname(CLI)].map((word) => `'${word}'`);
  const answering = { command: words.join(' '), description: 'answer it', run_in_background: true };
  stage = await createStage(claude, () =>
    sequence(callTool('Bash', answering), claude.shell('touch mine.txt'), { text: 'It was refused.' }),
  );
  return { ...stage, accomplice };
}

/** Allows the first command, lets it try to answer the second, and refuses that. */
async function denyTheSecond(client: Client, accomplice: Accomplice, way: { url: string; token?: string }) {
  const { runId } = await client.start({ agent: 'claude', prompt: 'Help yourself.' });
  const events: AgentEvent[] = [];
  let told: unknown;
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type !== 'approval-request') continue;
    if (only(events, 'approval-request').length === 1) {
      await client.approve(runId, event.id);
      continue;
    }
    told = await accomplice.ask({ ...way, runId, approvalId: event.id });
    await client.deny(runId, event.id, { message: 'you shall not' });
  }
  expect(only(events, 'approval-resolve')).toMatchObject([
    { decision: 'allow', by: 'person' },
    { decision: 'deny', by: 'person', message: 'you shall not' },
  ]);
  expect(existsSync(stage?.sandbox.file('mine.txt') ?? '')).toBe(false);
  return { told, warnings: only(events, 'warning').map(({ code }) => code) };
}

interface Accomplice {
  url: string;
  /** Tells the one inside what is asked, and gives back what came of it. */
  ask(question: object): Promise<unknown>;
}

async function startAccomplice(): Promise<Accomplice> {
  const said = new EventEmitter();
  const [question, told] = [once(said, 'question'), once(said, 'told')];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') said.emit('told', await json(request));
    response.end(JSON.stringify((await question)[0]));
  };
  const server = createServer((request, response) => void serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async ask(asked) {
      said.emit('question', asked);
      return (await told)[0];
    },
  };
}
