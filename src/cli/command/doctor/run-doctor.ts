/** What `glassbox doctor` finds and how it says it: in one line first, then what is well, then what is missing. */
import { homedir } from 'node:os';
import packageJson from '../../../../package.json' with { type: 'json' };
import { AGENTS } from '../../../agent/index.js';
import { type Configuration, readConfiguration } from '../../../run/index.js';
import { safe, safeJson } from '../../../view/text/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { wrap } from '../../../view/text/wrap.js';
import type { Context } from '../../context.js';
import type { ExitStatus } from '../../exit-status.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { counted } from '../../print/counted.js';
import { print } from '../../print/sink.js';
import { table } from '../../print/table.js';
import { withoutValues } from '../../print/without-values.js';
import { capabilityTable } from './capability-table.js';
import { type Checkup, checkAgent } from './check-agent.js';
import type { DoctorFlags } from './command.js';
import { driftLines, recentDrift } from './drift.js';
import { checkStore, type StoreCheckup, storeLine } from './store-checkup.js';

interface Findings {
  agents: Checkup[];
  configuration: Configuration;
  store: StoreCheckup;
}

export async function runDoctor(this: Context, flags: DoctorFlags): Promise<void> {
  const { env, platform, arch, version, stdout, stderr, cwd } = this.process;
  const leftovers = tellOfLeftovers(stderr);
  const surroundings = { cwd: cwd(), env, platform, home: homedir() };
  const configuration = withoutValues(await readConfiguration(surroundings));
  const agents = await Promise.all(AGENTS.map((agent) => checkAgent(agent, configuration.settings, surroundings)));
  const drift = await recentDrift(flags);
  const store = await checkStore(flags, surroundings, drift.problem);
  const findings = { agents, configuration, store };
  const versions = { glassbox: packageJson.version, node: version.slice(1), system: `${platform} ${arch}` };
  const lines = flags.json
    ? [safeJson({ versions, store, agents, configuration, drift })]
    : [
        `glassbox ${versions.glassbox}, Node ${versions.node}, ${versions.system}`,
        summaryLine(findings),
        safe(storeLine(store, surroundings.home)),
        '',
        ...agents.filter(isWell).flatMap((agent) => agentLines(agent, flags.verbose === true)),
        ...agents.filter(isBroken).flatMap((agent) => agentLines(agent, false)),
        ...missingLines(
          agents.filter((agent) => !isWell(agent) && !isBroken(agent)),
          stdout.columns,
        ),
        ...tableLines(flags.verbose ? Number.POSITIVE_INFINITY : stdout.columns),
        ...driftLines(drift),
        ...settingLines(configuration),
      ];
  await print(stdout, flags.json || !stdout.columns ? lines : lines.flatMap((line) => fitted(line, stdout.columns)));
  await leftovers;
  this.process.exitCode = statusOf(findings);
}

/** What does not fit goes on below where it began; columns stay columns. */
function fitted(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length);
  if (line.length <= width || / {3,}/.test(text)) return [line];
  const [first = '', ...others] = wrap(text, width - indent.length - HANGING.length);
  return [indent + first, ...others.map((row) => `${indent}${HANGING}${row}`)].map((row) => row.trimEnd());
}

const HANGING = '  ';

const isWell = ({ version }: Checkup): boolean => version !== undefined;
/** There, but of no use. */
const isBroken = (agent: Checkup): boolean => !isWell(agent) && agent.file !== undefined;

function statusOf({ agents, configuration, store }: Findings): ExitStatus {
  if (configuration.problems.length > 0) return 2;
  if (store.problem !== undefined) return 3;
  return agents.some(isWell) ? 0 : 127;
}

/** All of it in one line, for who wants to know no more. */
function summaryLine({ agents, configuration, store }: Findings): string {
  const well = agents.filter(isWell).map(({ name }) => name);
  const broken = agents.filter(isBroken).map(({ name }) => name);
  const wrong = [
    ...(well.length === 0 ? ['no agent is installed'] : []),
    ...(broken.length > 0 ? [`${broken.join(', ')}: no answer`] : []),
    ...(configuration.problems.length > 0
      ? [`${counted(configuration.problems.length, 'problem')} in the configuration`]
      : []),
    ...(store.problem === undefined ? [] : ['the store cannot be used']),
  ];
  const here = well.length === 0 ? '' : `${well.join(', ')} ready to run; `;
  return wrong.length === 0 ? `✔ ${here}nothing is wrong.` : `✖ ${here}${wrong.join('; ')}.`;
}

function agentLines(checkup: Checkup, verbose: boolean): string[] {
  const { name, title, file, version, problem, hint, can, cannot, ids } = checkup;
  const head =
    version === undefined
      ? `✖ ${name}  ${title}: ${problem}`
      : `✔ ${name}  ${title} ${version.replace(` (${title})`, '')}`;
  return [
    safe(head),
    ...(file ? [safe(`    at ${file}`)] : []),
    ...(hint ? [safe(`    ${hint}`)] : []),
    ...(version === undefined
      ? []
      : [
          '    runs headless here: yes',
          `    can: ${can.map(inWords).join(', ')}`,
          ...(cannot.length > 0 ? [`    cannot: ${cannot.map(inWords).join(', ')}`] : []),
          ...(verbose ? ids.map((id) => `    ${id}`) : []),
        ]),
    '',
  ];
}

/** `follow up`: its name is for programs. */
const inWords = (capability: string): string =>
  capability.replace(/^\w+/, (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Not to have an agent is no fault. Beside each stands what brings it here, to be copied. */
function missingLines(agents: readonly Checkup[], width = Number.POSITIVE_INFINITY): string[] {
  if (agents.length === 0) return [];
  const column = Math.max(...agents.map(({ name }) => name.length)) + 2;
  const room = width - 4 - column;
  return [
    'Not installed',
    ...agents.flatMap(({ name, problem, hint = '' }) => {
      const words = safe(problem === 'not installed' ? hint.replace(/^Install it with: /, '') : `${problem}. ${hint}`);
      const rows = Number.isFinite(room) ? wrap(words, room).map((row) => row.trimEnd()) : [words];
      return rows.map((row, index) => `    ${(index === 0 ? name : '').padEnd(column)}${row}`);
    }),
    '',
  ];
}

/** The same as in the README; what limits `partly` is told above, for those that are installed. */
function tableLines(width = Number.POSITIVE_INFINITY): string[] {
  const { head, rows } = capabilityTable();
  const cells = [['', ...head], ...rows.map(({ name, cells: own }) => [name, ...own])];
  const lines = table(
    cells.map((row) => row.map((text) => ({ text }))),
    createPaint(false),
  ).map((line) => `    ${line}`);
  if (lines.some((line) => line.length > width))
    return ['What glassbox can do with each agent: glassbox doctor --verbose', ''];
  return ['What glassbox can do with each agent', ...lines, ''];
}

function settingLines({ settings, sources, problems }: Configuration): string[] {
  const from = sources.map(({ name, settings: own }) => `    from ${name}: ${Object.keys(own).join(', ')}`);
  return [
    'Configuration, as it would be used here (glassbox config tells it one by one)',
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
