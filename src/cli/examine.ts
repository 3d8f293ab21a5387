/** What `glassbox doctor` finds and how it says it. */
import { homedir } from 'node:os';
import { AGENTS } from '../agent/index.js';
import { type Configuration, readConfiguration } from '../run/index.js';
import { safe, safeJson } from '../view/text/index.js';
import { type Checkup, checkAgent } from './check-agent.js';
import type { DoctorFlags } from './command/doctor.js';
import type { Context } from './context.js';

export async function examine(this: Context, flags: DoctorFlags): Promise<void> {
  const { env, platform, stdout, cwd } = this.process;
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  const configuration = await readConfiguration(surroundings);
  const agents = await Promise.all(AGENTS.map((agent) => checkAgent(agent, configuration.settings, surroundings)));
  const lines = flags.json
    ? [safeJson({ agents, configuration })]
    : [...agents.flatMap(agentLines), ...settingLines(configuration)];
  stdout.write(`${lines.join('\n')}\n`);
  if (configuration.problems.length > 0) this.process.exitCode = 2;
  else if (!agents.some(({ version }) => version !== undefined)) this.process.exitCode = 127;
}

function agentLines({ name, title, file, version, problem, hint, can, cannot }: Checkup): string[] {
  const head =
    version === undefined ? `✖ ${name}  ${title}: ${problem ?? 'not installed'}` : `✔ ${name}  ${title} ${version}`;
  return [
    safe(head),
    ...(file ? [safe(`    at ${file}`)] : []),
    ...(hint ? [safe(`    ${hint}`)] : []),
    ...(version === undefined
      ? []
      : [`    can: ${can.join(', ')}`, ...(cannot.length > 0 ? [`    cannot: ${cannot.join(', ')}`] : [])]),
    '',
  ];
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
