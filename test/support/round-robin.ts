/** A load balancer at its plainest: each request goes to the next server, whoever asked. One that does not answer is told as 502. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RoundRobin {
  /** `127.0.0.1` with its port. */
  host: string;
  url: string;
  lead(to: readonly string[]): void;
  /** How many requests each server got. */
  readonly shares: ReadonlyMap<string, number>;
}

export async function openRoundRobin(): Promise<RoundRobin> {
  const shares = new Map<string, number>();
  let servers: readonly string[] = [];
  let asked = 0;
  const balancer = createServer((incoming, outgoing) => {
    const server = servers[asked % servers.length] ?? '';
    asked += 1;
    shares.set(server, (shares.get(server) ?? 0) + 1);
    const { method, headers, url } = incoming;
    const away = () =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end('<h1>Bad gateway</h1>');
    const passed = request(`${server}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('error', away).pipe(outgoing);
    }).on('error', away);
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    balancer.closeAllConnections();
    balancer.close();
  });
  const host = `127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    shares,
    lead(to) {
      servers = to;
    },
  };
}
