/** The command line: which commands there are, and what is said when one is used wrongly. A command loads only when it runs. */
import { type ApplicationContext, buildApplication, buildRouteMap, ExitCode, run, text_en } from '@stricli/core';
import packageJson from '../../package.json' with { type: 'json' };
import { answer } from './command/answer/command.js';
import { apply } from './command/apply/command.js';
import { approve } from './command/approve/command.js';
import { archive } from './command/archive/command.js';
import { budget } from './command/budget/command.js';
import { compare } from './command/compare/command.js';
import { comparisons } from './command/comparisons/command.js';
import { completion } from './command/completion/command.js';
import { config } from './command/config/command.js';
import { conform } from './command/conform/command.js';
import { cost } from './command/cost/command.js';
import { deleteCommand } from './command/delete/command.js';
import { demo } from './command/demo/command.js';
import { deny } from './command/deny/command.js';
import { doctor } from './command/doctor/command.js';
import { exportCommand } from './command/export/command.js';
import { fleet } from './command/fleet/command.js';
import { fork } from './command/fork/command.js';
import { goOn } from './command/go-on/command.js';
import { hooks } from './command/hooks/command.js';
import { importCommand } from './command/import/command.js';
import { init } from './command/init/command.js';
import { interrupt } from './command/interrupt/command.js';
import { loop } from './command/loop/command.js';
import { next } from './command/next/command.js';
import { open } from './command/open/command.js';
import { pin } from './command/pin/command.js';
import { pipe } from './command/pipe/command.js';
import { prune } from './command/prune/command.js';
import { ps } from './command/ps/command.js';
import { rename } from './command/rename/command.js';
import { replay } from './command/replay/command.js';
import { resume } from './command/resume/command.js';
import { review } from './command/review/command.js';
import { rewind } from './command/rewind/command.js';
import { run as runCommand } from './command/run/command.js';
import { say } from './command/say/command.js';
import { search } from './command/search/command.js';
import { serve } from './command/serve/command.js';
import { sessions } from './command/sessions/command.js';
import { show } from './command/show/command.js';
import { stop } from './command/stop/command.js';
import { token } from './command/token/command.js';
import { tui } from './command/tui/command.js';
import { wait } from './command/wait/command.js';
import { watch } from './command/watch/command.js';
import { why } from './command/why/command.js';
import { whyState } from './command/why-state/command.js';
import { worker } from './command/worker/command.js';
import { worktrees } from './command/worktrees/command.js';
import type { Context } from './context.js';
import { statusOfError } from './exit-status.js';
import { failureText } from './failure.js';
import { helpAsked, helpText } from './help/help-text.js';
import { emptyFlagText, misuseText, unknownCommandText } from './misuse.js';
import { byWords, type Where } from './print/by-words.js';
import { print } from './print/sink.js';

/** Every command by its name. */
export const routes = buildRouteMap({
  routes: {
    run: runCommand,
    resume,
    'go-on': goOn,
    fork,
    open,
    loop,
    compare,
    serve,
    tui,
    watch,
    ps,
    next,
    approve,
    deny,
    answer,
    say,
    interrupt,
    stop,
    wait,
    'why-state': whyState,
    sessions,
    search,
    cost,
    export: exportCommand,
    import: importCommand,
    rewind,
    why,
    review,
    worktrees,
    comparisons,
    apply,
    rename,
    pin,
    archive,
    delete: deleteCommand,
    prune,
    worker,
    fleet,
    token,
    budget,
    hooks,
    show,
    replay,
    demo,
    init,
    doctor,
    config,
    completion,
    conform,
    pipe,
  },
  docs: {
    brief: packageJson.description,
    hideRoute: { pipe: true },
  },
});

/** `command`: which one was meant, for what is said when it was used wrongly. */
function appFor(command: string | undefined, stderr: Where) {
  const said =
    <Given extends unknown[]>(text: (...given: Given) => string) =>
    (...given: Given) =>
      byWords(text(...given), stderr);
  return buildApplication<Context>(routes, {
    name: 'glassbox',
    versionInfo: { currentVersion: packageJson.version },
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { onlyRequiredInUsageLine: true },
    determineExitCode: statusOfError,
    localization: {
      text: {
        ...text_en,
        exceptionWhileRunningCommand: said(failureText),
        exceptionWhileLoadingCommandFunction: said(failureText),
        exceptionWhileParsingArguments: said((error) => misuseText(error, command)),
        noCommandRegisteredForInput: said(({ input, corrections }) => unknownCommandText(input, corrections)),
      },
    },
  });
}

export async function runCli(args: readonly string[], context: Context): Promise<void> {
  const { process } = context;
  let words = routed(args, process);
  const topic = helpAsked(words);
  if (topic !== undefined) {
    const text = helpText(topic, routes, process);
    if (text !== undefined) return printed(process, text);
    // It says that there is no such command.
    words = [topic];
  }
  // Asked by the script of a shell at each Tab: whatever goes wrong, nothing is said in the middle of a line.
  if (words[0] === 'complete') return printCandidates(words.slice(words[1] === '--' ? 2 : 1), context);
  const isPiped = words[0] === 'pipe' && args[0] !== 'pipe';
  const command = isPiped ? undefined : words[0];
  const empty = emptyFlagText(words, command);
  if (empty !== undefined) {
    process.stderr.write(`${byWords(empty, process.stderr)}\n`);
    process.exitCode = 2;
    return;
  }
  // Node calls an exit code that is not set `undefined`, which its types and those of the library spell differently.
  await run(appFor(command, process.stderr), words, context as Context & ApplicationContext);
  if (typeof process.exitCode === 'number' && process.exitCode < 0) process.exitCode = statusOfMisuse(process.exitCode);
}

/** As a command fails: in a sentence, with its status. */
async function printed(process: NodeJS.Process, rows: readonly string[]): Promise<void> {
  try {
    await print(process.stdout, rows);
  } catch (error) {
    process.stderr.write(`${byWords(failureText(error), process.stderr)}\n`);
    process.exitCode = statusOfError(error);
  }
}

async function printCandidates(words: readonly string[], context: Context): Promise<void> {
  const { candidatesFor } = await import('./complete/candidates.js');
  const found = await candidatesFor(words, { app: appFor(undefined, {}), routes, context }).catch(() => []);
  await printed(
    context.process,
    found.map(({ value, meaning }) => `${value}\t${meaning}`),
  );
}

/** Without a command glassbox reads its standard input, where somebody writes to it; a person at a terminal gets the panels. */
function routed(args: readonly string[], { stdin, stdout, env }: NodeJS.Process): readonly string[] {
  const [first] = args;
  if (first === undefined && !stdin.isTTY) return ['pipe'];
  if (first === undefined) return stdout.isTTY && env.TERM !== 'dumb' ? ['tui'] : ['--help'];
  return first.startsWith('-') && !VERSION_FLAGS.has(first) && helpAsked([first]) === undefined
    ? ['pipe', ...args]
    : args;
}

const VERSION_FLAGS = new Set(['--version', '-v']);

function statusOfMisuse(code: number): number {
  return code === ExitCode.InvalidArgument || code === ExitCode.UnknownCommand ? 2 : 70;
}
