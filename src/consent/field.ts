/** What a person has to fill in: the questions of an agent, or the fields of a form that a server wants. */
import type { Question } from '../event/index.js';
import type { ApprovalRequest } from './consent.js';

export interface Field {
  /** Under which the answer is given. */
  name: string;
  title: string;
  /** A word or two for the same. */
  header?: string;
  description: string;
  type: 'text' | 'secret' | 'number' | 'integer' | 'boolean';
  choices: { label: string; description?: string }[];
  /** Several choices may be taken. */
  isMultiple: boolean;
  /** One's own words do as well as a choice. */
  isOpen: boolean;
  isRequired: boolean;
  /** What the form proposes; empty when it proposes nothing. */
  initial: string;
}

/** Whatever is odd in a schema becomes a text field. */
export function fieldsOf({ questions, answerSchema }: Pick<ApprovalRequest, 'questions' | 'answerSchema'>): Field[] {
  if (questions) return questions.map(questionField);
  const schema = factsOf(answerSchema);
  const required = schema.get('required');
  return [...factsOf(schema.get('properties'))].map(([name, facts]) =>
    formField(name, factsOf(facts), Array.isArray(required) && required.includes(name)),
  );
}

function questionField({ question, header, options = [], multiple = false, secret = false }: Question): Field {
  return {
    name: question,
    title: question,
    ...(header !== undefined && { header }),
    description: '',
    type: secret ? 'secret' : 'text',
    choices: options,
    isMultiple: multiple,
    isOpen: true,
    isRequired: true,
    initial: '',
  };
}

function formField(name: string, facts: ReadonlyMap<string, unknown>, isRequired: boolean): Field {
  const type = facts.get('type');
  const choices = facts.get('enum');
  const isSecret = facts.get('format') === 'password' || facts.get('writeOnly') === true;
  return {
    name,
    title: text(facts.get('title')) || name,
    description: text(facts.get('description')),
    type: type === 'number' || type === 'integer' || type === 'boolean' ? type : isSecret ? 'secret' : 'text',
    choices: Array.isArray(choices) ? choices.map((choice) => ({ label: text(choice) })) : [],
    isMultiple: false,
    isOpen: !Array.isArray(choices),
    isRequired,
    initial: text(facts.get('default')),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function factsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
