/** Runs a script of the fake agent, and looks at what is left of it afterwards. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent } from '../../src/agent/index.js';
import { agentNamed } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { type RunHandle, type RunRequest, run } from '../../src/run/index.js';
import { interruptedLine, type Step } from './lines.js';

export const FAKE_AGENT = path.resolve(import.meta.dirname, 'fake-agent.mjs');

/** Records of runs must not be mixed with those of the person who runs the tests. */
process.env.GLASSBOX_STATE_DIR = temporaryDirectory();

/** The agent whose wire the script speaks, with less patience when it is ended: for scripts that do not obey. */
export const hasty: Agent = withPatience('claude', 300);

/** The same with all patience, for scripts that obey: a slow machine must not look like disobedience. */
export const patient: Agent = withPatience('claude', 600_000);

/** The request for a script; `ask`, so a conversation, unless said otherwise. */
export function scripted(script: readonly Step[], request: Partial<RunRequest> = {}): RunRequest {
  const env = { FAKE_AGENT_SCRIPT: scriptVariable(script), ...request.env };
  return {
    agent: hasty,
    prompt: 'go',
    program: FAKE_AGENT,
    survivorGraceMs: 100,
    cwd: temporaryDirectory(),
    ...request,
    env,
  };
}

/** For who is about to end it when it waits for an answer: it ends its turn when it is interrupted, and itself with its input. */
export function obedient(script: readonly Step[], env: Record<string, string> = {}): RunRequest {
  const { session_id: _, ...interrupted } = interruptedLine();
  return scripted(script, { env: { FAKE_AGENT_OBEYS: JSON.stringify(interrupted), ...env } });
}

/** A variable holds 128 KiB at most; a longer script goes by file. */
export function scriptVariable(script: readonly Step[]): string {
  const json = JSON.stringify(script);
  if (json.length < 100_000) return json;
  const file = path.join(temporaryDirectory(), 'script.json');
  writeFileSync(file, json);
  return file;
}

export function play(script: readonly Step[], request: Partial<RunRequest> = {}): RunHandle {
  return run(scripted(script, request));
}

export function temporaryDirectory(): string {
  return mkdtempSync(path.join(tmpdir(), 'fake-agent-'));
}

export async function readAll(
  handle: RunHandle,
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of handle.events) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

export function typesOf(events: readonly AgentEvent[]): string[] {
  return events.map((event) => event.type);
}

/** Processes of a run that are still there, by their environment; written apart from the code under test. Linux only. */
export function processesOf(runId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(runId);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

function withPatience(name: string, waitMs: number): Agent {
  const agent = agentNamed(name);
  if (!agent) throw new Error(`no agent ${name}`);
  return {
    ...agent,
    command(request) {
      const command = agent.command(request);
      return { ...command, ending: command.ending.map((rung) => ({ ...rung, waitMs })) };
    },
  };
}
