/** The socket that hooks speak to: whoever waits there knows that somebody lives. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type HookConnection, listenAt, SIGN_OF_LIFE } from '../../src/hook/listener.js';

test('gives signs of life until it has answered, and none to whom nothing is answered', async () => {
  const socket = path.join(mkdtempSync(path.join(tmpdir(), 'gb-listen-')), 'hook.sock');
  let open: HookConnection | undefined;
  const listener = await listenAt(socket, (payload, connection) => {
    if (JSON.stringify(payload) === '{"news":1}') connection.end();
    else open = connection;
  });
  onTestFinished(() => listener?.close());
  const say = (payload: object) => {
    const connection = connect(socket);
    connection.write(JSON.stringify(payload));
    return connection;
  };
  expect(await text(say({ news: 1 }))).toBe('');
  const asking = say({ question: 1 });
  for (const _ of [1, 2]) expect(String((await once(asking, 'data'))[0])).toBe(SIGN_OF_LIFE);
  open?.end({ answer: 1 });
  expect((await text(asking)).trim()).toBe('{"answer":1}');
});
