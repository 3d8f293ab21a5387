/** `glassbox compare`: checks that it makes sense before anything is made, tells each step, and ends with the table. */
import path from 'node:path';
import { keepMoment, tryGit } from '../../../checkpoint/index.js';
import { checkText, endedText } from '../../../client/comparison-words.js';
import {
  type Attempt,
  baselineOf,
  type Comparison,
  compare,
  contestantsFrom,
  fingerprintOf,
  type Judgement,
  judge,
  reportOf,
} from '../../../compare/index.js';
import { agentNamed } from '../../../decode/index.js';
import { GlassboxError, type Permission } from '../../../event/index.js';
import { commandLine, defaultsFor, type RunRequest } from '../../../run/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson } from '../../../view/text/safe.js';
import { counted, duration } from '../../../word/index.js';
import { projectOf } from '../../../worktree/index.js';
import type { Context } from '../../context.js';
import type { ExitStatus } from '../../exit-status.js';
import { requestOf } from '../../flag/run-flag.js';
import { createInterrupt } from '../../interrupt.js';
import { createKeptRuns } from '../../kept/kept-runs.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { configurationFor, promptFrom, tellOfRules } from '../../run-request.js';
import { readBaseline, writeBaseline } from './baseline-file.js';
import type { CompareFlags } from './command.js';
import { comparisonRows, judgementRows } from './comparison-rows.js';

export async function compareAgents(this: Context, flags: CompareFlags, ...words: string[]): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  const cwd = path.resolve(flags.cwd ?? process.cwd());
  const permission = requirePermission(flags.permission);
  if (flags.check === undefined && (flags.save !== undefined || flags.against !== undefined))
    throw new GlassboxError(
      'invalid-request',
      'A baseline is of attempts that passed: say how that is told with --check.',
    );
  await refuseInsideRun('compare agents', flags);
  const contestants = contestantsFrom(flags.agents, (agent) => agentNamed(agent) !== undefined);
  const configuration = await configurationFor(cwd, process);
  const { settings } = configuration;
  const baseline = flags.against === undefined ? undefined : await readBaseline(flags.against);
  const task = await promptFrom(words, flags.promptFile, process);
  if (task.trim() === '') throw new GlassboxError('invalid-request', 'Say what they shall do: glassbox compare "…"');
  if (baseline && baseline.fingerprint !== fingerprintOf(task, flags.check))
    throw new GlassboxError(
      'invalid-request',
      `${flags.against} is of another task or another check, so nothing could be compared with it.`,
    );
  const { budgetUsd, cwd: _, ...request } = requestOf(flags);
  // What one of them cannot do is said before any of them begins.
  for (const { agent, model } of contestants) {
    const wanted = { ...request, agent, prompt: task, cwd, ...(model && { model }), ...(budgetUsd && { budgetUsd }) };
    commandLine(wanted, defaultsFor(settings, agent));
  }
  await projectOf(cwd);
  const from = flags.uncommitted ? { commit: await keepMoment(cwd, UNCOMMITTED), head: 'HEAD' } : undefined;
  tellOfRules(configuration, process);
  if (!flags.uncommitted && !flags.quiet) await tellOfUncommitted(cwd, stderr);

  using interrupt = createInterrupt(process);
  const kept = createKeptRuns(flags, settings, stderr);
  let comparison: Comparison;
  try {
    comparison = await compare({
      ...{ task, contestants, permission, budgetUsd, check: flags.check, checkTimeoutMs: flags.checkTimeout },
      ...{ times: flags.times, atOnce: flags.atOnce },
      wish: { cwd, copy: settings.worktree?.copy, from },
      request: { stderr: 'discard', ...request },
      start: (wanted: RunRequest) => kept.start(wanted, defaultsFor(settings, String(wanted.agent))),
      sessionOf: kept.idOf,
      signal: interrupt.signal,
      whyStopped: interrupt.why,
      onChange: (attempt, { id }) => {
        const said = flags.quiet ? undefined : stepText(attempt, id);
        if (said !== undefined) note(stderr, said);
      },
    });
  } finally {
    await kept.close();
  }
  const report = reportOf(comparison);
  const judgements = baseline ? judge(baseline, comparison) : [];
  const paint = createPaint(wantsColor(flags.color, stdout, env));
  if (flags.json) await print(stdout, [safeJson({ ...report, ...(baseline && { judgements }) })]);
  else
    await print(stdout, [
      ...comparisonRows(report, paint, stdout.columns),
      ...(baseline ? ['', ...judgementRows(judgements, paint)] : []),
    ]);
  if (flags.save !== undefined) {
    await writeBaseline(flags.save, baselineOf(comparison, Date.now()));
    if (!flags.quiet) note(stderr, `how many passed is in ${flags.save}; --against ${flags.save} compares with it.`);
  }
  if (!flags.quiet && !flags.json) note(stderr, nextSteps(comparison));
  process.exitCode = interrupt.status() ?? statusOf(comparison, judgements);
}

/** While nobody is asked, what is allowed has to be said, and not guessed from what holds where somebody is. */
function requirePermission(permission: Permission | undefined): Permission {
  if (permission !== undefined) return permission;
  throw new GlassboxError(
    'invalid-request',
    'Nobody is asked while agents are compared, so say what they may do: --permission accept-edits (edits in their own folder), ask (only what rules of glassbox.json allow), plan, deny, or bypass (everything).',
  );
}

const UNCOMMITTED = 'refs/glassbox/compare-uncommitted';

async function tellOfUncommitted(cwd: string, stderr: NodeJS.WriteStream): Promise<void> {
  const { status, stdout } = await tryGit(['status', '--porcelain', '-z', '--no-renames'], { cwd });
  const changed = status === 0 ? stdout.toString('utf8').split('\0').filter(Boolean).length : 0;
  if (changed > 0)
    note(
      stderr,
      `${counted(changed, 'file')} that you did not commit ${changed === 1 ? 'is' : 'are'} not part of it; --uncommitted takes them too.`,
    );
}

function stepText(attempt: Attempt, id: string): string | undefined {
  const { number, label, state, why, end, check } = attempt;
  const name = `${id}/${number} ${label}`;
  if (state === 'running' && attempt.session === undefined && !end) return `${name} begins.`;
  if (state === 'checking' && !check) return `${name}: ${endedText(attempt).text}; the check runs.`;
  if (state === 'not-begun') return `${name} does not begin: ${why}.`;
  if (state !== 'ended') return undefined;
  const took = end ? ` after ${duration(end.durationMs)}` : '';
  const checked = check ? `, check ${checkText(attempt).text}` : '';
  return `${name}: ${why ?? `${endedText(attempt).text}${took}${checked}`}`;
}

function nextSteps({ id, attempts }: Comparison): string {
  const best = attempts.find(({ verdict, size }) => verdict === 'passed' && size && size.files > 0);
  const some = best ?? attempts.find(({ size }) => size && size.files > 0);
  const again = `glassbox comparisons ${id} shows this again`;
  return some ? `glassbox apply ${id}/${some.number} brings its changes into your files; ${again}.` : `${again}.`;
}

function statusOf({ attempts }: Comparison, judgements: readonly Judgement[]): ExitStatus {
  if (judgements.some(({ what }) => what === 'worse')) return 1;
  return attempts.some(({ end }) => end && end.reason !== 'spawn-failed') ? 0 : 127;
}
