/** What a hook runs: silent, harmless and without a trace, whatever is or is not there. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { findSender, hookCommand, SENDERS, type Sender } from '../../src/hook/sender.js';

const folder = () => mkdtempSync(path.join(tmpdir(), 'gb-send-'));

test('a program of this system is found by trying it', async () => {
  expect(SENDERS).toContain(await findSender(folder()));
  const silent: Sender = { name: 'silent', call: () => 'true' };
  const missing: Sender = { name: 'missing', call: () => 'no-such-program-at-all' };
  const echo: Sender = { name: 'echo', call: () => 'cat' };
  expect(await findSender(folder(), [silent, missing, echo])).toBeUndefined();
});

test('what it is told arrives whole, and the answer of a question comes back', async () => {
  const sender = await here();
  const told = JSON.stringify({ text: 'ğ🦊'.repeat(100_000) });
  const server = await listen((text) => (text === told ? '{"a":1}' : 'wrong'));
  expect(await run(hookCommand(sender, server.socket, 'ask'), told)).toEqual({ printed: '{"a":1}', status: 0 });
  expect(await run(hookCommand(sender, server.socket, 'watch'), told)).toEqual({ printed: '', status: 0 });
  expect(await server.heard(2)).toEqual([told, told]);
});

test.each(['watch', 'check', 'ask'] as const)('%s says nothing and ends well when nobody is there', async (mode) => {
  const sender = await here();
  const socket = path.join(folder(), "it's.sock");
  expect(await run(hookCommand(sender, socket, mode), '{}')).toEqual(NOTHING);
  const server = await listen(() => '{"never":"seen"}', socket);
  const inside = { GLASSBOX_RUN_ID: 'r1' };
  expect(await run(hookCommand(sender, socket, mode), '{}', inside)).toEqual(NOTHING);
  expect(server.count()).toBe(0);
  const missing: Sender = { name: 'missing', call: () => 'no-such-program-at-all' };
  expect(await run(hookCommand(missing, socket, mode), '{}')).toEqual(NOTHING);
  const failing: Sender = { name: 'failing', call: () => 'sh -c "echo no >&2; exit 2"' };
  expect(await run(hookCommand(failing, socket, mode), '{}')).toEqual(NOTHING);
});

test('it ends without an answer when the listener dies', async () => {
  const sender = await here();
  const server = await listen(() => undefined);
  const asked = run(hookCommand(sender, server.socket, 'ask'), '{"a":1}');
  await server.heard(1);
  server.drop();
  expect(await asked).toEqual(NOTHING);
});

test('it waits for one that gives signs of life, which are no part of the answer, and for no other', async () => {
  const sender = await here();
  const server = await listen(() => undefined);
  const asked = run(hookCommand(sender, server.socket, 'ask'), '{"a":1}');
  await server.heard(1);
  for (const said of ['\n', '\n', '\n{"a":', '1}']) server.say(said);
  server.finish();
  expect(await asked).toEqual({ printed: '{"a":1}', status: 0 });
  // As of a listener that is suspended.
  const [check, ask] = (['check', 'ask'] as const).map((mode) => run(hookCommand(sender, server.socket, mode), '{}'));
  expect(await Promise.all([check, ask])).toEqual([NOTHING, NOTHING]);
});

const NOTHING = { printed: '', status: 0 };

async function here(): Promise<Sender> {
  const sender = await findSender(folder());
  if (!sender) throw new Error('No program brings text to a socket here.');
  return sender;
}

/** `reply` gives nothing while the answer takes its time. */
async function listen(reply: (text: string) => string | undefined, socket = path.join(folder(), 'hook.sock')) {
  const heard: string[] = [];
  const connections = new Set<Socket>();
  let tell = () => {};
  const server = createServer((connection) => {
    let text = '';
    connections.add(connection);
    connection.setEncoding('utf8').on('error', () => {});
    connection.on('data', (more: string) => {
      text += more;
      if (!text.endsWith('}')) return;
      heard.push(text);
      tell();
      const answer = reply(text);
      if (answer !== undefined) connection.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const drop = () => {
    for (const connection of connections) connection.destroy();
    server.close();
  };
  onTestFinished(drop);
  return {
    socket,
    drop,
    say: (text: string) => connections.forEach((connection) => void connection.write(text)),
    finish: () => connections.forEach((connection) => void connection.end()),
    count: () => connections.size,
    heard: (many: number) =>
      new Promise<string[]>((resolve) => {
        tell = () => heard.length >= many && resolve(heard);
        tell();
      }),
  };
}

/** As agents do: a shell, the text on its standard input, what it printed on either stream. */
async function run(command: string, input: string, extra: NodeJS.ProcessEnv = {}) {
  const { GLASSBOX_RUN_ID: _, ...env } = process.env;
  const child = spawn('/bin/sh', ['-c', command], { env: { ...env, ...extra } });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  return { printed: `${stdout}${stderr}`, status: await ended };
}
