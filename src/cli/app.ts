/** The command line: which commands there are, and what is said when one is used wrongly. A command loads only when it runs. */
import { buildApplication, buildRouteMap, ExitCode, run, text_en } from '@stricli/core';
import packageJson from '../../package.json' with { type: 'json' };
import { safe } from '../view/text/safe.js';
import { conform } from './command/conform.js';
import { cost } from './command/cost.js';
import { demo } from './command/demo.js';
import { doctor } from './command/doctor.js';
import { exportCommand } from './command/export.js';
import { importCommand } from './command/import.js';
import { loop } from './command/loop.js';
import { pipe } from './command/pipe.js';
import { prune } from './command/prune.js';
import { replay } from './command/replay.js';
import { resume } from './command/resume.js';
import { run as runCommand } from './command/run.js';
import { search } from './command/search.js';
import { serve } from './command/serve.js';
import { sessions } from './command/sessions.js';
import { show } from './command/show.js';
import type { Context } from './context.js';
import { EXIT_STATUSES, statusOfError } from './exit-status.js';
import { failureText } from './failure.js';
import { createSink } from './sink.js';

const routes = buildRouteMap({
  routes: {
    run: runCommand,
    resume,
    loop,
    serve,
    sessions,
    search,
    cost,
    export: exportCommand,
    import: importCommand,
    prune,
    show,
    replay,
    demo,
    doctor,
    conform,
    pipe,
  },
  docs: {
    brief: packageJson.description,
    fullDescription: `${packageJson.description}

  glassbox run claude "Fix the tests"       run an agent, watch it, answer it
  glassbox loop claude "…" --until DONE     again, until the answer says so
  glassbox resume "And now the docs"        go on with the latest session here, or any other
  glassbox serve                            the same in a web page, for all your agents
  glassbox sessions                         what was run; also search, cost, export, import
  claude -p "Fix the tests" --output-format stream-json --verbose | glassbox
  glassbox show run.jsonl --verbose         a run that was recorded, or kept (by its id)
  glassbox replay run.jsonl --speed 4       the same, as it happened
  glassbox demo                             a recorded run, without an account
  glassbox doctor                           which agents are here, and what is configured
  glassbox conform                          how well glassbox and others read what agents print

EXIT STATUS
${EXIT_STATUSES.map(([status, meaning]) => `  ${String(status).padEnd(4)} ${meaning}`).join('\n')}`,
    hideRoute: { pipe: true },
  },
});

const app = buildApplication<Context>(routes, {
  name: 'glassbox',
  versionInfo: { currentVersion: packageJson.version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { onlyRequiredInUsageLine: true },
  determineExitCode: statusOfError,
  localization: {
    text: {
      ...text_en,
      exceptionWhileRunningCommand: failureText,
      exceptionWhileLoadingCommandFunction: failureText,
      exceptionWhileParsingArguments: (error, color) => misuse(text_en.exceptionWhileParsingArguments(error, color)),
      noCommandRegisteredForInput: (facts) => misuse(text_en.noCommandRegisteredForInput(facts)),
    },
  },
});

export async function runCli(args: readonly string[], context: Context): Promise<void> {
  const { process } = context;
  // Help is printed by others; here too nobody who reads it is no failure.
  createSink(process.stdout);
  await run(app, routed(args, process.stdin.isTTY === true), context);
  if (typeof process.exitCode === 'number' && process.exitCode < 0) process.exitCode = statusOfMisuse(process.exitCode);
}

/** Without a command glassbox reads its standard input, where somebody writes to it. */
function routed(args: readonly string[], isTerminal: boolean): readonly string[] {
  const [first] = args;
  if (first === undefined) return isTerminal ? ['--help'] : ['pipe'];
  return first.startsWith('-') && !ROOT_FLAGS.has(first) ? ['pipe', ...args] : args;
}

const ROOT_FLAGS = new Set(['--help', '-h', '--help-all', '--helpAll', '-H', '--version', '-v']);

function statusOfMisuse(code: number): number {
  return code === ExitCode.InvalidArgument || code === ExitCode.UnknownCommand ? 2 : 70;
}

const misuse = (message: string): string =>
  `glassbox: ${safe(message).replace(/(?<![.?])$/, '.')} See glassbox --help.`;
