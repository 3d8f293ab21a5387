/**
 * The readers that come with glassbox, behind the driver protocol: glassbox itself, by the door that its users take, and two
 * ways that programs read JSON lines by hand.
 */
import { createInterface } from 'node:readline';
import type { Protocol } from '../agent/agent.js';
import { createPipeline, requireAgent } from '../decode/index.js';

const { stdin, stdout, env } = process;

const READERS: Record<string, () => Promise<void>> = {
  /** The whole way to events; what reaches the translator is delivered. The limit is lifted, because a long line is asked for. */
  async glassbox() {
    const agent = requireAgent(env.GLASSBOX_CONFORM_AGENT ?? '');
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
    const pipeline = createPipeline({ agent: { ...agent, createProtocol }, maxLineBytes: Number.POSITIVE_INFINITY });
    const report = ({ events }: { events: readonly { type: string; code?: string }[] }) => {
      for (const { type, code } of events) if (type === 'decode-error') print({ error: code });
    };
    for await (const bytes of stdin) report(pipeline.push(bytes));
    report(pipeline.end());
  },
  async readline() {
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) parse(line);
  },
  async split() {
    let rest = '';
    for await (const bytes of stdin) {
      const lines = (rest + bytes).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) parse(line);
    }
    parse(rest);
  },
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
print({ end: true });
