/** Agents × scenarios, with what passed, and below it what an agent cannot do and why. */
import { type Peer, SCENARIOS } from './peer.js';

/** By `<agent> <scenario>`; what was not run is absent. */
export type Results = Map<string, 'ok' | 'FAILED'>;

export function drawTable(peers: readonly Peer[], results: Results): string {
  const width = Math.max(...peers.map((peer) => nameOf(peer).length));
  const rows = peers.map((peer) => {
    const { cannot } = peer;
    const name = nameOf(peer);
    const cells = SCENARIOS.map((scenario) => {
      const cell = cannot?.[scenario] ? 'cannot' : (results.get(`${name} ${scenario}`) ?? '–');
      return cell.padEnd(Math.max(scenario.length, 6));
    });
    return [name.padEnd(width), ...cells].join('  ');
  });
  const head = [''.padEnd(width), ...SCENARIOS.map((scenario) => scenario.padEnd(6))].join('  ');
  const reasons = peers.flatMap((peer) =>
    Object.entries(peer.cannot ?? {}).map(([scenario, why]) => `${nameOf(peer)} cannot ${scenario}: ${why}`),
  );
  return ['', head, ...rows, '', ...reasons, ''].join('\n');
}

export const nameOf = ({ name, agent }: Peer): string => name ?? agent;
