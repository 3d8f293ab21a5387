/** What `glassbox hooks status` says of an agent: whether our hooks are there, by which program they speak, and whether somebody listens. */
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Agent } from '../../../agent/index.js';
import { findInstalled, hooksOf, isSkipped } from '../../../hook/installation.js';
import { hookFolder, type Surroundings, socketPath } from '../../../hook/place.js';
import { findSender, hookCommand, SENDERS } from '../../../hook/sender.js';
import { safe } from '../../../view/text/safe.js';

export async function hookStatus(agent: Agent, surroundings: Surroundings): Promise<string[]> {
  const { file, ours, others } = await findInstalled(agent, surroundings);
  const lines = [
    `${agent.title}: ${file.path}${file.text === undefined ? ' (not there)' : ''}`,
    ...(ours.length === 0
      ? ['  not installed: glassbox hooks install']
      : [
          `  installed: ${[...new Set(ours.map(({ at }) => at))].join(', ')}`,
          ...(isSkipped(hooksOf(agent), file.text ?? '') ? [`  ${skippedLine(agent)}`] : []),
          `  ${await speakingBy(ours[0]?.command, surroundings)}`,
          `  ${(await isHeard(socketPath(surroundings))) ? 'somebody listens' : 'nobody listens: glassbox serve'}`,
        ]),
    ...(others > 0 ? [`  ${others} of others, which stay as they are`] : []),
  ];
  return lines.map(safe);
}

export function skippedLine({ title }: Agent): string {
  return `${title} skips a settings file with comments or a comma too many, all of it: it tells nothing until they are gone.`;
}

/** Hooks say nothing when they fail, so somebody has to look. */
async function speakingBy(command: string | undefined, surroundings: Surroundings): Promise<string> {
  const socket = socketPath(surroundings);
  const sender = SENDERS.find((one) =>
    (['watch', 'check', 'ask'] as const).some((mode) => hookCommand(one, socket, mode) === command),
  );
  if (!sender) return 'from another version or for another folder of glassbox: install again';
  await mkdir(hookFolder(surroundings), { recursive: true, mode: 0o700 });
  const works = await findSender(hookFolder(surroundings), [sender]);
  return works ? `by ${sender.name}, which works here` : `by ${sender.name}, which does not work here: install again`;
}

function isHeard(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}
