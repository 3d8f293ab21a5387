/** What somebody decided about a question of the agent, as the event that tells everybody. */
import type { AnswerOf, DraftOf, Loose } from '../event/index.js';
import type { Decision } from './action.js';
import type { Body } from './chronicle/chronicle.js';
import { members } from './field.js';

/** What of a request its answer refers to. */
export type Asked = Loose<Pick<DraftOf<'approval-request'>, 'suggestions' | 'questions' | 'answerSchema'>>;

export function resolutionOf(decision: Decision, asked: Asked): Body<'approval-resolve'> {
  const { suggestions = [] } = asked;
  const { id, by, who, host, via, rule } = decision;
  const decided = { id, by, who, host, via, rule };
  if (decision.type === 'deny') return { ...decided, decision: 'deny', message: decision.message };
  if (decision.type === 'answer') return { ...decided, decision: 'answer', answers: keptAnswers(decision, asked) };
  const remembered = rememberedOf(decision, suggestions);
  return {
    ...decided,
    decision: remembered.length > 0 ? 'allow-always' : 'allow',
    changes: decision.changes,
    remembered: remembered.length > 0 ? remembered : undefined,
  };
}

/** Everything but what was asked for as a secret: that is between the person and whoever asked. */
function keptAnswers(
  { answers }: AnswerOf<'answer'>,
  { questions = [], answerSchema }: Asked,
): AnswerOf<'answer'>['answers'] {
  const { properties, ...rest } = members(answerSchema);
  // What is said besides the fields may be about any of them.
  if (asksForSecret(rest)) return {};
  const fields = Object.entries(members(properties)).map(([name, field]) => ({ name, secret: asksForSecret(field) }));
  const asked = [...fields, ...questions.map(({ question, secret }) => ({ name: question, secret }))];
  if (!asked.some(({ secret }) => secret)) return answers;
  // Under a name that nobody asked for may stand a secret.
  const kept = new Set(asked.flatMap(({ name, secret }) => (secret ? [] : [name])));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => kept.has(name)));
}

/** At whatever depth of a schema, and without going as deep as that itself. */
function asksForSecret(schema: unknown): boolean {
  const parts = [schema];
  while (parts.length > 0) {
    const part = parts.pop();
    if (typeof part !== 'object' || part === null) continue;
    const { format, writeOnly } = members(part);
    if (format === 'password' || writeOnly === true) return true;
    for (const inner of Object.values(part)) parts.push(inner);
  }
  return false;
}

/** Which of the suggestions, or of what goes with them, are accepted for the future. */
export function rememberedOf<Item>(decision: Decision, items: readonly Item[]): Item[] {
  if (decision.type !== 'approve') return [];
  return (decision.remember ?? []).flatMap((position) => items.slice(position, position + 1));
}
