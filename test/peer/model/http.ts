/** A model server on loopback for tests: collects the calls, answers by script, ends with the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface ModelServer {
  readonly url: string;
  /** Bodies of the model calls so far, in order. */
  readonly calls: unknown[];
  close(): Promise<void>;
}

export interface ModelRequest {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

export type Answer = (request: ModelRequest, response: ServerResponse) => Promise<void> | void;

export async function startServer(answer: Answer, calls: unknown[]): Promise<ModelServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void readBody(request).then(async (body) => {
      await answer({ method: request.method ?? '', path: request.url ?? '', body }, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function startEventStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

/** Pieces of about `size` code points, as a model streams them. */
export function pieces(text: string, size = 12): string[] {
  const points = [...text];
  const found: string[] = [];
  for (let at = 0; at < points.length; at += size) found.push(points.slice(at, at + size).join(''));
  return found.length > 0 ? found : [''];
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const encoding = request.headers['content-encoding'];
  try {
    const text = encoding === 'gzip' ? gunzipSync(raw) : encoding === 'br' ? brotliDecompressSync(raw) : raw;
    return JSON.parse(text.toString('utf8'));
  } catch {
    return {};
  }
}
