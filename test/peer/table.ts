/** Agents × scenarios, with what passed, and below it what an agent cannot do and why. */
import { type Peer, SCENARIOS, type Scenario } from './peer.js';

/** `passed` holds `<agent> <scenario>`. */
export function drawTable(peers: readonly Peer[], passed: ReadonlySet<string>): string {
  const cannot = ({ cannot }: Peer, scenario: Scenario): string | undefined =>
    Object.entries(cannot ?? {}).find(([name]) => name === scenario)?.[1];
  const width = Math.max(...peers.map(({ agent }) => agent.length));
  const rows = peers.map((peer) => {
    const cells = SCENARIOS.map((scenario) => {
      const cell = cannot(peer, scenario) ? 'cannot' : passed.has(`${peer.agent} ${scenario}`) ? 'ok' : 'no';
      return cell.padEnd(scenario.length);
    });
    return [peer.agent.padEnd(width), ...cells].join('  ');
  });
  const reasons = peers.flatMap(({ agent, cannot = {} }) =>
    Object.entries(cannot).map(([scenario, why]) => `${agent} cannot ${scenario}: ${why}`),
  );
  return ['', [''.padEnd(width), ...SCENARIOS].join('  '), ...rows, '', ...reasons, ''].join('\n');
}
