/** One line of an agent's output in, its events out. A new agent needs nothing here. */
import { agentForCommand, createDecoder, type DecoderOptions } from '../../decode/index.js';
import type { DecodeErrorCode } from '../../event/index.js';
import { createProjection } from './project.js';
import type { StreamEvent } from './stream-event.js';

export interface Parser {
  /** Name of the agent. */
  readonly name: string;
  /** One line, with or without its newline. What an agent prints is never thrown: a line that is no JSON gives `error`. */
  parse(line: string | Uint8Array): Parsed;
}

export interface Parsed {
  events: StreamEvent[];
  /** Says what is wrong and never repeats the line, which may hold a secret. */
  error?: { code: DecodeErrorCode; bytes: number };
}

/** The parser for a command (`claude`, `/usr/bin/claude`, `Claude.EXE`); none for a program that glassbox does not know. */
export function parserFor(command: string, options: DecoderOptions = {}): Parser | undefined {
  const agent = agentForCommand(command);
  if (!agent) return undefined;
  const decoder = createDecoder(agent, { ...options, countNoise: false });
  const projection = createProjection();
  return {
    name: agent.name,
    parse(line) {
      const all = [...decoder.push(line), ...decoder.push('\n')];
      const bad = all.find((event) => event.type === 'decode-error');
      const events = all.filter((event) => event !== bad).flatMap((event) => projection.push(event));
      return { events, ...(bad && { error: { code: bad.code, bytes: bad.bytes } }) };
    },
  };
}
