/** Row 7: what watching a real agent costs: CPU of this process while Claude Code says 8,000 deltas, against its vendor's SDK. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from '../src/run/index.js';
import { startAnthropic } from '../test/peer/model/anthropic.js';
import { createSandbox } from '../test/peer/sandbox.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const DELTAS = 8000;
/** Twelve letters are one delta of the model. */
const TEXT = 'twelve chars'.repeat(DELTAS);
const PROMPT = 'Talk.';

const ROW = {
  row: 7,
  what: `CPU of the wrapper of a real run with ${DELTAS.toLocaleString('en')} deltas`,
  against: 'the vendor’s SDK doing the same',
  goal: '≤ 0.50',
  unit: '×',
};

interface Sdk {
  query(request: { prompt: string; options: Record<string, unknown> }): AsyncIterable<{ type: string }>;
}

if (process.argv[2] === 'model') await serveModel();
else await measure();

async function measure(): Promise<void> {
  const modules = `${process.env.BENCH_PEERS}/node_modules/@anthropic-ai`;
  const program = `${modules}/claude-agent-sdk-${process.platform}-${process.arch}/claude`;
  if (!existsSync(program)) {
    report([{ ...ROW, value: Number.NaN, ok: false, also: { missing: 'the vendor’s SDK is not installed' } }]);
    return;
  }
  const { query } = (await import(pathToFileURL(`${modules}/claude-agent-sdk/sdk.mjs`).href)) as Sdk;
  const model = spawn(process.execPath, [fileURLToPath(import.meta.url), 'model'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: model.stdout }), 'line')) as [string];
  const { cwd, env: own, remove } = createSandbox();
  const env = { ...own, ...variables(url) };
  const heard = { ours: 0, sdk: 0 };

  const times = await measureRounds(
    {
      async ours() {
        const agent = run({ agent: 'claude', program, prompt: PROMPT, cwd, env, permission: 'ask' });
        heard.ours = 0;
        for await (const event of agent.events) if (event.type === 'text-delta') heard.ours += 1;
      },
      async sdk() {
        heard.sdk = 0;
        const options = {
          pathToClaudeCodeExecutable: program,
          includePartialMessages: true,
          cwd,
          env: { ...process.env, ...env },
        };
        for await (const { type } of query({ prompt: PROMPT, options })) if (type === 'stream_event') heard.sdk += 1;
      },
    },
    { rounds: 5, warmUp: 1 },
  );
  await stop(model);
  remove();

  const value = 1 / times.ratio('ours', 'sdk');
  report([
    {
      ...ROW,
      value,
      ok: value <= 0.5 && heard.ours > 0.9 * DELTAS && heard.sdk > 0.9 * DELTAS,
      also: {
        ours: `${Math.round(times.ms('ours'))} ms of CPU, ${heard.ours} deltas`,
        'the SDK': `${Math.round(times.ms('sdk'))} ms of CPU, ${heard.sdk} messages of the stream`,
      },
    },
  ]);
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
