/** What a person has to fill in: the questions of an agent, or the fields of a form that a server wants. */
import type { ApprovalRequest } from '../run/index.js';
import { safeLine } from '../view/text/index.js';

export interface Field {
  /** Under which the answer is given. */
  name: string;
  /** Shown above the prompt. */
  lines: string[];
  several: boolean;
  read(answer: string): unknown;
}

export function fieldsOf({ questions, answerSchema }: ApprovalRequest): Field[] {
  return questions
    ? questions.map(questionField)
    : propertiesOf(answerSchema).map(([name, facts]) => formField(name, facts));
}

type Asked = NonNullable<ApprovalRequest['questions']>[number];

function questionField({ question, options = [], multiple = false }: Asked): Field {
  const choices = options.map(
    ({ label, description }, index) =>
      `  ${index + 1}  ${safeLine(label)}${description ? `: ${safeLine(description)}` : ''}`,
  );
  return {
    name: question,
    lines: [safeLine(question), ...choices],
    several: multiple,
    read: (answer) => chosen(answer, options),
  };
}

/** Numbers mean options, anything else is taken as it is. */
function chosen(answer: string, options: readonly { label: string }[]): string {
  const parts = answer.split(',').map((part) => part.trim());
  const labels = parts.map((part) => (/^\d+$/.test(part) ? options[Number(part) - 1]?.label : undefined));
  return labels.every((label) => label !== undefined) ? labels.join(', ') : answer.trim();
}

function formField(name: string, facts: ReadonlyMap<string, unknown>): Field {
  const [title, description] = [facts.get('title'), facts.get('description')].map((value) => safeLine(value));
  const type = facts.get('type');
  const read = (answer: string): unknown => {
    if (type === 'number' || type === 'integer') return Number(answer);
    if (type === 'boolean') return /^(y|yes|true|1)$/i.test(answer.trim());
    return answer;
  };
  return { name, lines: [`${title || safeLine(name)}${description ? `: ${description}` : ''}`], several: false, read };
}

function propertiesOf(schema: unknown): [string, ReadonlyMap<string, unknown>][] {
  const properties = entriesOf(schema).get('properties');
  return [...entriesOf(properties)].map(([name, facts]) => [name, entriesOf(facts)]);
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
