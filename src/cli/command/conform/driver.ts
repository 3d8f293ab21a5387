/**
 * The readers that come with glassbox, behind the driver protocol: glassbox itself, by the pipe that its users have, and two ways
 * that programs read JSON lines by hand.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Agent, Protocol } from '../../../agent/agent.js';
import { type AgentEvent, lineCount } from '../../../event/index.js';
import { type ShowStream, showStream } from '../../stream/show-stream.js';
import { createStreamReader } from '../../stream/stream-reader.js';

const { stdin, stdout } = process;

const READERS: Record<string, () => Promise<void>> = {
  /** Stays: each line that it is told names a file with the next stream. What reaches the translator is delivered. */
  async glassbox() {
    const { signal } = new AbortController();
    for await (const line of createInterface({ input: stdin })) {
      const { file } = JSON.parse(line) as { file: string };
      const reader = createStreamReader(undefined, { watch: observed });
      await showStream({ source: createReadStream(file), reader, printer: silent, signal });
      print({ end: true });
    }
  },
  async readline() {
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) parse(line);
    print({ end: true });
  },
  async split() {
    let rest = '';
    for await (const bytes of stdin) {
      const lines = (rest + bytes).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) parse(line);
    }
    parse(rest);
    print({ end: true });
  },
};

function observed(agent: Agent): Agent {
  const createProtocol = (): Protocol => {
    const protocol = agent.createProtocol();
    return {
      ...protocol,
      receive(value, bytes) {
        deliver(value);
        return protocol.receive(value, bytes);
      },
    };
  };
  return { ...agent, createProtocol };
}

/** Says of what is printed only which lines could not be read. */
const silent: ShowStream['printer'] = {
  print(events: readonly AgentEvent[]) {
    for (const event of events) {
      if (event.type !== 'decode-error') continue;
      for (let line = 0; line < lineCount(event); line++) print({ error: event.code });
    }
    return undefined;
  },
  raw: () => undefined,
  end: () => undefined,
  closed: new AbortController().signal,
};

function parse(line: string): void {
  if (line.trim() === '') return;
  try {
    deliver(JSON.parse(line));
  } catch {
    print({ error: 'no JSON' });
  }
}

const deliver = (item: unknown): void => print({ item });
const print = (said: object): void => void stdout.write(`${JSON.stringify(said)}\n`);

await READERS[process.argv[2] ?? '']?.();
