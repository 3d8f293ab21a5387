/** Agents × scenarios, with what passed, and below it what an agent cannot do and why. */
import { type Peer, SCENARIOS } from './peer.js';

/** By `<agent> <scenario>`; what was not run is absent. */
export type Results = Map<string, 'ok' | 'FAILED'>;

export function drawTable(peers: readonly Peer[], results: Results): string {
  const width = Math.max(...peers.map(({ agent }) => agent.length));
  const rows = peers.map(({ agent, cannot }) => {
    const cells = SCENARIOS.map((scenario) => {
      const cell = cannot?.[scenario] ? 'cannot' : (results.get(`${agent} ${scenario}`) ?? '–');
      return cell.padEnd(Math.max(scenario.length, 6));
    });
    return [agent.padEnd(width), ...cells].join('  ');
  });
  const head = [''.padEnd(width), ...SCENARIOS.map((scenario) => scenario.padEnd(6))].join('  ');
  const reasons = peers.flatMap(({ agent, cannot = {} }) =>
    Object.entries(cannot).map(([scenario, why]) => `${agent} cannot ${scenario}: ${why}`),
  );
  return ['', head, ...rows, '', ...reasons, ''].join('\n');
}
