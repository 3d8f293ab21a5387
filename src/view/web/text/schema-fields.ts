/** The fields of a simple JSON schema: flat, of texts, numbers, choices and switches. Whatever is odd becomes a text field. */

export interface SchemaField {
  name: string;
  title: string;
  description: string;
  type: 'text' | 'number' | 'integer' | 'boolean';
  choices: string[];
  isRequired: boolean;
  initial: string;
}

export function fieldsOfSchema(schema: unknown): SchemaField[] {
  const whole = factsOf(schema);
  const required = whole.get('required');
  return [...factsOf(whole.get('properties'))].map(([name, value]) => {
    const facts = factsOf(value);
    const type = facts.get('type');
    const choices = facts.get('enum');
    return {
      name,
      title: text(facts.get('title')) || name,
      description: text(facts.get('description')),
      type: type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text',
      choices: Array.isArray(choices) ? choices.map(text) : [],
      isRequired: Array.isArray(required) && required.includes(name),
      initial: text(facts.get('default')),
    };
  });
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function factsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
