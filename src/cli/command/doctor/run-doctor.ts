/** What `glassbox doctor` finds and how it says it. */
import { homedir } from 'node:os';
import { AGENTS } from '../../../agent/index.js';
import { redactText } from '../../../decode/index.js';
import { type Configuration, readConfiguration, type Settings } from '../../../run/index.js';
import { safe, safeJson } from '../../../view/text/index.js';
import { createPaint } from '../../../view/text/palette.js';
import type { Context } from '../../context.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { print } from '../../print/sink.js';
import { table } from '../../print/table.js';
import { capabilityTable } from './capability-table.js';
import { type Checkup, checkAgent } from './check-agent.js';
import type { DoctorFlags } from './command.js';
import { driftLines, recentDrift } from './drift.js';

export async function runDoctor(this: Context, flags: DoctorFlags): Promise<void> {
  const { env, platform, stdout, stderr, cwd } = this.process;
  const leftovers = tellOfLeftovers(stderr);
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  const configuration = withoutValues(await readConfiguration(surroundings));
  const agents = await Promise.all(AGENTS.map((agent) => checkAgent(agent, configuration.settings, surroundings)));
  const drift = await recentDrift(flags);
  const lines = flags.json
    ? [safeJson({ agents, configuration, drift })]
    : [
        ...agents.flatMap((agent) => agentLines(agent, flags.verbose === true)),
        ...tableLines(),
        ...driftLines(drift),
        ...settingLines(configuration),
      ];
  await print(stdout, lines);
  await leftovers;
  if (configuration.problems.length > 0) this.process.exitCode = 2;
  else if (!agents.some(({ version }) => version !== undefined)) this.process.exitCode = 127;
}

function agentLines(checkup: Checkup, verbose: boolean): string[] {
  const { name, title, file, version, problem, hint, can, cannot, ids } = checkup;
  const head =
    version === undefined ? `✖ ${name}  ${title}: ${problem ?? 'not installed'}` : `✔ ${name}  ${title} ${version}`;
  return [
    safe(head),
    ...(file ? [safe(`    at ${file}`)] : []),
    ...(hint ? [safe(`    ${hint}`)] : []),
    ...(version === undefined
      ? []
      : [
          '    runs headless here: yes',
          `    can: ${can.join(', ')}`,
          ...(cannot.length > 0 ? [`    cannot: ${cannot.join(', ')}`] : []),
          ...(verbose ? ids.map((id) => `    ${id}`) : []),
        ]),
    '',
  ];
}

/** The same as in the README; what limits `partly` is told above, for those that are installed. */
function tableLines(): string[] {
  const { head, rows } = capabilityTable();
  const cells = [['', ...head], ...rows.map(({ name, cells: own }) => [name, ...own])];
  const lines = table(
    cells.map((row) => row.map((text) => ({ text }))),
    createPaint(false),
  );
  return ['What glassbox can do with each agent', ...lines.map((line) => `    ${line}`), ''];
}

/** Variables hold keys, and other settings may: what doctor prints is pasted into bug reports. */
function withoutValues(configuration: Configuration): Configuration {
  const hide = (settings: Settings): Settings => {
    if (!settings.agents) return withoutSecrets(settings);
    const agents = Object.entries(settings.agents).map(([name, { env, ...rest }]) => {
      const hidden = env && Object.fromEntries(Object.keys(env).map((variable) => [variable, '(set)']));
      return [name, hidden ? { ...rest, env: hidden } : rest];
    });
    return withoutSecrets({ ...settings, agents: Object.fromEntries(agents) });
  };
  const sources = configuration.sources.map(({ name, settings }) => ({ name, settings: hide(settings) }));
  const problems = configuration.problems.map((problem) => redactText(problem));
  return { ...configuration, problems, settings: hide(configuration.settings), sources };
}

function withoutSecrets(settings: Settings): Settings {
  return JSON.parse(JSON.stringify(settings), (_, value) => (typeof value === 'string' ? redactText(value) : value));
}

function settingLines({ settings, sources, problems }: Configuration): string[] {
  const from = sources.map(({ name, settings: own }) => `    from ${name}: ${Object.keys(own).join(', ')}`);
  return [
    'Configuration, as it would be used here',
    ...(sources.length > 0
      ? [
          ...from,
          ...JSON.stringify(settings, undefined, 2)
            .split('\n')
            .map((line) => `    ${line}`),
        ]
      : ['    none: every default']),
    ...problems.map((problem) => `    ✖ ${problem}`),
  ].map(safe);
}
