/**
 * The pure half of glassbox put together: bytes of one agent process in, stamped and guarded events out, and the lines
 * that the agent wants to be told. No process, no clock of its own; a run, a recording and a page use the same code.
 */
import type { Action, Agent, CommandRequest, Step } from '../agent/index.js';
import type { AgentEvent, Draft } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { createGuard, type GuardOptions, type Prepare } from '../guard/index.js';
import { createLineReader, type Item, type LineOptions } from '../jsonl/index.js';
import { requireAgent } from './agent-lookup.js';
import { createNoiseCounter, isNoise } from './noise.js';
import { createStamper, type StampOptions } from './stamp.js';

export interface PipelineOptions extends LineOptions, StampOptions {
  agent: Agent | string;
  /** What was asked of the agent, where that shapes how its stream is read. */
  request?: Partial<CommandRequest> | undefined;
  /** Bounds and redaction, on unless this is false. */
  guard?: GuardOptions | false | undefined;
  /** Hang the agent's own value on each event, as `raw`; text that the guard held back has that of the line that released it. Then no line is only counted. */
  raw?: boolean | undefined;
  /** Of many lines in a row that say nothing, tell the first 20 and count the others; unless this is false. */
  countNoise?: boolean | undefined;
  /**
   * Sees every draft before the guard shortens and redacts it, with the ids that everybody sees, and gives back what
   * shall pass, which may say more.
   */
  prepare?: Prepare | undefined;
}

const PIPELINE_NAMES: OptionNames<PipelineOptions> = {
  agent: true,
  request: true,
  guard: true,
  raw: true,
  countNoise: true,
  prepare: true,
  runId: true,
  now: true,
  maxLineBytes: true,
};

/** What follows from one input: events for the readers, and lines for the agent's stdin (without newline). */
export interface Output {
  events: AgentEvent[];
  send: string[];
}

export interface Pipeline {
  /** The process has started. */
  start(): Output;
  push(bytes: Uint8Array): Output;
  act(action: Action): Output | 'unsupported';
  /** Stamps an event that did not come from the stream. */
  emit(draft: Draft): AgentEvent[];
  /** The stream is over: closes what is open. Later calls give nothing. */
  end(): Output;
  /** True once nothing more will come unless somebody speaks. */
  idle(): boolean;
}

const NOWHERE: Output = { events: [], send: [] };

export function createPipeline(options: PipelineOptions): Pipeline {
  refuseUnknown('A decoder', options, PIPELINE_NAMES);
  const agent = requireAgent(options.agent);
  // Who wants the agent's own values gets those that a parser made.
  const lines = createLineReader(read, options, options.raw ? undefined : agent.readFrequent);
  const protocol = agent.createProtocol(options.request);
  const stamper = createStamper(agent.name, options);
  const { prepare } = options;
  const guard = options.guard === false ? undefined : createGuard(options.guard, prepare);
  const noise = options.raw || options.countNoise === false ? undefined : createNoiseCounter();
  /** Tells where the stream is, for lines that cannot say it themselves. */
  let last: Draft | undefined;
  let ended = false;
  /** Where the lines that are read now are told; nowhere in between, because what was told is not kept here. */
  let reading = NOWHERE;

  return {
    start: () => take(protocol.start(), begin()),
    push(bytes) {
      const output = begin();
      reading = output;
      lines.push(bytes);
      reading = NOWHERE;
      return output;
    },
    act(action) {
      const step = protocol.act(guard && 'id' in action ? { ...action, id: guard.originalId(action.id) } : action);
      return step === 'unsupported' ? step : take(step, begin());
    },
    emit: (draft) => pass(draft, begin()).events,
    end() {
      const output = begin();
      if (ended) return output;
      ended = true;
      reading = output;
      lines.end();
      endNoise(output);
      take(protocol.end(), output);
      for (const draft of guard?.end() ?? []) output.events.push(stamper.stamp(draft));
      return output;
    },
    idle: () => protocol.idle(),
  };

  function begin(): Output {
    stamper.setTime();
    return { events: [], send: [] };
  }

  function read(items: readonly Item[]): void {
    for (const item of items) {
      if (item.kind === 'value') {
        const before = reading.events.length;
        take(protocol.receive(item.value, item.bytes), reading);
        if (options.raw) hangRaw(reading.events, before, item.value);
      } else {
        const { kind: _, ...facts } = item;
        hear([{ type: 'decode-error', ...facts, ...placeOf(last) }], reading);
      }
    }
  }

  /** All that one line said. */
  function hear(drafts: readonly Draft[], output: Output): void {
    const [first] = drafts;
    if (noise && drafts.length === 1 && isNoise(first)) {
      for (const draft of noise.add(first)) pass(draft, output);
      return;
    }
    if (drafts.length > 0) endNoise(output);
    for (const draft of drafts) pass(draft, output);
  }

  function endNoise(output: Output): void {
    if (noise) for (const draft of noise.end()) pass(draft, output);
  }

  function take({ events, send }: Step, output: Output): Output {
    hear(events, output);
    for (const line of send) output.send.push(line);
    if (events.length > 0) last = events[events.length - 1];
    return output;
  }

  function pass(draft: Draft, output: Output): Output {
    if (!guard) output.events.push(stamper.stamp(prepare ? prepare(draft) : draft));
    else for (const passed of guard.pass(draft)) output.events.push(stamper.stamp(passed));
    return output;
  }
}

function placeOf(last: Draft | undefined): Pick<Draft, 'sessionId' | 'turn'> {
  const turn = last?.turn ?? 0;
  return last?.sessionId === undefined ? { turn } : { sessionId: last.sessionId, turn };
}

function hangRaw(events: AgentEvent[], from: number, value: unknown): void {
  for (const event of events.slice(from)) Object.defineProperty(event, 'raw', { value });
}
