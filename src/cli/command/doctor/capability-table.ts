/** Agents × what decides which of them to take: the one table, for `glassbox doctor` and the README. */
import { AGENTS, type Capabilities, type Capability } from '../../../agent/index.js';

const COLUMNS: readonly (readonly [title: string, name: keyof Capabilities])[] = [
  ['word by word', 'deltas'],
  ['asks first', 'approvals'],
  ['questions', 'questions'],
  ['interrupt', 'interrupt'],
  ['follow-up', 'followUp'],
  ['resume', 'resume'],
  ['fork', 'fork'],
  ['cost', 'cost'],
];

export interface CapabilityTable {
  head: string[];
  rows: { name: string; title: string; cells: string[] }[];
  /** What `partly` means, a sentence each. */
  limits: string[];
}

export function capabilityTable(): CapabilityTable {
  return {
    head: COLUMNS.map(([title]) => title),
    rows: AGENTS.map(({ name, title, capabilities }) => ({
      name,
      title,
      cells: COLUMNS.map(([, capability]) => cellOf(capabilities[capability])),
    })),
    limits: AGENTS.flatMap(({ title, capabilities }) =>
      COLUMNS.filter(([, capability]) => typeof capabilities[capability] === 'string').map(
        ([column, capability]) => `${title}, ${column}: ${capabilities[capability]}.`,
      ),
    ),
  };
}

function cellOf(capability: Capability): string {
  return typeof capability === 'string' ? 'partly' : capability ? 'yes' : '–';
}
