/** A server that is not glassbox: it answers everything, and keeps whatever a browser sends to it. */
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenAgain } from '../support/lasting-port.js';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Impostor extends AsyncDisposable {
  readonly url: string;
  readonly heard: readonly Heard[];
  close(): Promise<void>;
}

/** What it says to a request; without a word it is an empty object. */
type Speech = (heard: Heard, response: ServerResponse) => void;

export async function startImpostor(port = 0, speak: Speech = (_, response) => response.end('{}')): Promise<Impostor> {
  const heard: Heard[] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    incoming.on('end', () => {
      const one = { method, path: url, headers, body };
      heard.push(one);
      speak(one, response);
    });
  });
  await listenAgain(
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      }),
  );
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Says a request as it was heard, with whatever else an attacker may want to say, and gives the status. */
export function repeat(url: string, { method, path, headers, body }: Heard): Promise<number> {
  return new Promise((resolve, reject) => {
    const { 'content-length': _, connection: __, ...kept } = headers;
    const own = { ...kept, host: new URL(url).host, 'content-length': Buffer.byteLength(body) };
    request(`${url}${path}`, { method, headers: own }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    })
      .on('error', reject)
      .end(body);
  });
}
