/** Row 7: what watching a real agent costs: CPU and memory of this process while Claude Code says 8,000 deltas, against its vendor's SDK. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from '../src/run/index.js';
import { startAnthropic } from '../test/peer/model/anthropic.js';
import { createSandbox } from '../test/peer/sandbox.js';
import { measureRounds, median } from './support/rounds.js';
import { report } from './support/row.js';

const DELTAS = 8000;
/** Twelve letters are one delta of the model. */
const TEXT = 'twelve chars'.repeat(DELTAS);
const PROMPT = 'Talk.';

const ROW = {
  row: 7,
  what: `CPU of the wrapper of a real run with ${DELTAS.toLocaleString('en')} deltas`,
  against: 'the vendor’s SDK doing the same',
  goal: '≤ 0.80',
  unit: '×',
};
const MEMORY_ROW = { ...ROW, what: 'peak memory of the same, a process for each', goal: '≤ 1.00' };
/** Processes of each, of which the median counts. */
const PROCESSES = 3;

interface Sdk {
  query(request: { prompt: string; options: Record<string, unknown> }): AsyncIterable<{ type: string }>;
}

async function measure(): Promise<void> {
  const modules = `${process.env.BENCH_PEERS}/node_modules/@anthropic-ai`;
  const program = `${modules}/claude-agent-sdk-${process.platform}-${process.arch}/claude`;
  if (!existsSync(program)) {
    report([{ ...ROW, value: Number.NaN, ok: false, also: { missing: 'the vendor’s SDK is not installed' } }]);
    return;
  }
  const model = spawn(process.execPath, [fileURLToPath(import.meta.url), 'model'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: model.stdout }), 'line')) as [string];
  const { cwd, env: own, remove } = createSandbox();
  const place: Place = { program, cwd, env: { ...own, ...variables(url) } };
  const heard = { ours: 0, sdk: 0 };

  const times = await measureRounds(
    {
      async ours() {
        heard.ours = await hear.ours(place);
      },
      async sdk() {
        heard.sdk = await hear.sdk(place);
      },
    },
    { rounds: 5, warmUp: 1 },
  );
  const peaks = { ours: await peakOf('ours', place), sdk: await peakOf('sdk', place) };
  await stop(model);
  remove();

  const value = 1 / times.ratio('ours', 'sdk');
  report([
    {
      ...ROW,
      value,
      ok: value <= 0.8 && heard.ours > 0.9 * DELTAS && heard.sdk > 0.9 * DELTAS,
      also: {
        ours: `${Math.round(times.ms('ours'))} ms of CPU, ${heard.ours} deltas`,
        'the SDK': `${Math.round(times.ms('sdk'))} ms of CPU, ${heard.sdk} messages of the stream`,
      },
    },
    {
      ...MEMORY_ROW,
      value: peaks.ours / peaks.sdk,
      ok: peaks.ours <= peaks.sdk,
      also: { ours: `${Math.round(peaks.ours)} MB`, 'the SDK': `${Math.round(peaks.sdk)} MB` },
    },
  ]);
}

interface Place {
  program: string;
  cwd: string;
  env: Record<string, string | undefined>;
}

/** One run each, to its end; gives how many deltas were heard. */
const hear = {
  async ours({ program, cwd, env }: Place): Promise<number> {
    let heard = 0;
    const agent = run({ agent: 'claude', program, prompt: PROMPT, cwd, env, permission: 'ask' });
    for await (const event of agent.events) if (event.type === 'text-delta') heard += 1;
    return heard;
  },
  async sdk({ program, cwd, env }: Place): Promise<number> {
    let heard = 0;
    const sdk = `${process.env.BENCH_PEERS}/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs`;
    const { query } = (await import(pathToFileURL(sdk).href)) as Sdk;
    const options = {
      pathToClaudeCodeExecutable: program,
      includePartialMessages: true,
      cwd,
      env: { ...process.env, ...env },
    };
    for await (const { type } of query({ prompt: PROMPT, options })) if (type === 'stream_event') heard += 1;
    return heard;
  },
};

/** Of a process that does nothing else, in MB. */
async function peakOf(mode: 'ours' | 'sdk', place: Place): Promise<number> {
  const peaks: number[] = [];
  for (let n = 0; n < PROCESSES; n += 1) {
    const args = [fileURLToPath(import.meta.url), mode, JSON.stringify(place)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [told] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    peaks.push(Number(told));
  }
  return median(peaks);
}

async function tellMemory(mode: 'ours' | 'sdk', [place = '{}']: string[]): Promise<void> {
  await hear[mode](JSON.parse(place) as Place);
  console.log(process.resourceUsage().maxRSS / 1024);
}

/** In a process of its own, so that its work is not counted. */
async function serveModel(): Promise<void> {
  const model = await startAnthropic(() => ({ text: TEXT }));
  console.log(model.url);
  await once(process.stdin.resume(), 'end');
  await model.close();
}

async function stop(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null) await once(child, 'exit');
}

function variables(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-loopback',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

// Last, because what is above has to be there.
const [, , mode, ...given] = process.argv;
if (mode === 'model') await serveModel();
else if (mode === 'ours' || mode === 'sdk') await tellMemory(mode, given);
else await measure();
