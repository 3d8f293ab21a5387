/** An agent as people choose it: what it can do, and whether its program is here. */
import type { Agent } from '../../agent/agent.js';
import { type CommandRequest, howToGet, PERMISSIONS, type Permission } from '../../agent/command.js';
import { findProgram, type Machine } from './find-program.js';

/** `chosen` is the program that the user configured for it, if any. */
export async function describeAgent(agent: Agent, chosen: string | undefined, machine: Machine) {
  const { name, title, program, capabilities, efforts = [], attachments = [] } = agent;
  const { found } = await findProgram(program, chosen, machine);
  return {
    ...{ name, title, installed: found, install: howToGet(program) },
    capabilities: { ...capabilities },
    permissions: permissionsOf(agent),
    efforts: [...efforts],
    attachments: [...attachments],
  };
}

/** One that never asks is told no where it would, and then some of them come to the same: only what makes a difference is offered. */
export function permissionsOf(agent: Agent): Permission[] {
  if (agent.capabilities.approvals !== false) return [...PERMISSIONS];
  const started = (permission: Permission): string => {
    const request: CommandRequest = { mode: 'one-shot', prompt: 'x', permission, cwd: '/', deltas: false };
    return JSON.stringify(agent.command(request));
  };
  const refusing = started('deny');
  return PERMISSIONS.filter((permission) => permission === 'deny' || started(permission) !== refusing);
}
