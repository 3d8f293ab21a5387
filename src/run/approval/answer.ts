/** What may be said to a request. Whoever writes `{ input }` for `{ changes }` must hear it: unheard, the unchanged call would run. */
import { type Answer, type AnswerOf, GlassboxError } from '../../event/index.js';
import { type Check, flag, list, map, shape } from '../request/check.js';

export function checkAnswer<Given extends Answer>(answer: Given): Given {
  const problems: string[] = [];
  const { type, ...said } = answer;
  CHECKS[type](said, '', problems);
  if (problems.length > 0) throw new GlassboxError('invalid-request', `${problems.join('; ')}.`);
  return answer;
}

const anything: Check<NonNullable<unknown>> = () => true;

const words: Check<string> = (value, where, problems) => {
  if (typeof value === 'string') return value;
  problems.push(`${where} must be a text`);
  return undefined;
};

const position: Check<number> = (value, where, problems) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  problems.push(`${where} must be the position of a suggestion`);
  return undefined;
};

const optional =
  <Type>(check: Check<Type>): Check<Type> =>
  (value, where, problems) =>
    value === undefined ? undefined : check(value, where, problems);

const CHECKS: Readonly<Record<Answer['type'], Check<object>>> = {
  approve: shape<AnswerOf<'approve'>>({
    changes: optional(shape({ set: optional(map(anything)), remove: optional(list(words)) })),
    remember: optional(list(position)),
  }),
  deny: shape<AnswerOf<'deny'>>({ message: optional(words), interrupt: optional(flag) }),
  answer: shape<AnswerOf<'answer'>>({ answers: map(anything) }, ['answers']),
};
