/** What became of a question, in the words of every view: what was decided, who or what decided it, and what was said with it. */
import { type Changes, type EventOf, stepsOf } from '../event/index.js';
import type { ApprovalRequest } from './consent.js';
import { fieldsOf } from './field.js';
import { scopeText } from './scope.js';

type Resolution = EventOf<'approval-resolve'>;

/** "Allowed by ada on the page", "Denied by the rule deny path=**\/.env". */
export function decisionText(
  resolution: Pick<Resolution, 'decision' | 'by' | 'who' | 'via' | 'rule' | 'changes'>,
): string {
  const { decision, changes } = resolution;
  const word = wordIn(DECISIONS, decision);
  const what = changes === undefined ? word : `${word} with changes`;
  return [what, deciderText(resolution)].filter(Boolean).join(' ');
}

/** What was said with it: answers, the reason of a refusal, what is allowed from now on; empty when nothing was. */
export function saidText(
  request: ApprovalRequest | undefined,
  { answers, message, decision, remembered }: Pick<Resolution, 'answers' | 'message' | 'decision' | 'remembered'>,
): string {
  if (decision === 'allow-always' && Array.isArray(remembered))
    return remembered.filter(Boolean).map(scopeText).join(' · ');
  if (answers === undefined) return decision === 'deny' || decision === 'answer' ? words(message) : '';
  const names = namesIn(request);
  return entriesOf(answers)
    .map(([name, answer]) => `${names.get(name) ?? name}: ${answerText(answer)}`)
    .join(' · ');
}

/** Each edit of the input in a line: what it became, or that it is gone. */
export function changeTexts({ set, remove }: Changes): string[] {
  return [
    ...entriesOf(set).map(([pointer, value]) => `${nameOf(pointer)}: ${answerText(value)}`),
    ...(Array.isArray(remove) ? remove.map((pointer) => `${nameOf(String(pointer))}: removed`) : []),
  ];
}

/** All that is known of what became of a request, in a line. */
export function resolutionText(request: ApprovalRequest, resolution: Resolution): string {
  return [decisionText(resolution), saidText(request, resolution), ...changeTexts(resolution.changes ?? {})]
    .filter(Boolean)
    .join(' · ');
}

const DECISIONS: Readonly<Record<Resolution['decision'], string>> = {
  allow: 'Allowed',
  'allow-always': 'Allowed from now on',
  deny: 'Denied',
  answer: 'Answered',
  unknown: 'Settled, nobody told how',
};

function deciderText({
  by,
  who,
  via,
  rule,
  decision,
}: Pick<Resolution, 'by' | 'who' | 'via' | 'rule' | 'decision'>): string {
  switch (by) {
    case 'person':
      // Who has the server's own token has no other name.
      if (via === 'program' && who === 'program') return 'by a program';
      return [words(who) === '' ? 'by a person' : `by ${words(who)}`, wordIn(WAYS, via)].filter(Boolean).join(' ');
    case 'rule':
      if (words(rule) === '') return 'by a rule';
      return rule === 'hook' ? 'by a hook' : `by the rule ${words(rule)}`;
    case 'timeout':
      return 'because nobody answered in time';
    case 'nobody':
      return 'because nobody was there to be asked';
    case 'unknown':
      return decision === 'unknown' ? '' : 'elsewhere';
  }
}

/** A recorded event may say anything. */
function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `constructor` and the like are no words. */
function wordIn(table: Readonly<Record<string, string>>, key: string | undefined): string {
  return Object.hasOwn(table, words(key)) ? (table[words(key)] ?? '') : '';
}

const WAYS = { terminal: 'at the terminal', page: 'on the page', program: 'through a program' } as const;

/** The short word for each answer; a recorded request may be of any shape. */
function namesIn(request: ApprovalRequest | undefined): Map<string, string> {
  const { questions, answerSchema } = request ?? {};
  if (!Array.isArray(questions)) return new Map(fieldsOf({ answerSchema }).map(({ name, title }) => [name, title]));
  return new Map(
    questions.flatMap((asked) => (words(asked?.header) === '' ? [] : [[words(asked.question), words(asked.header)]])),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer)) return answer.map(answerText).join(', ');
  return JSON.stringify(answer) ?? '';
}

/** `/command` is `command`; the whole has no name. */
function nameOf(pointer: string): string {
  return pointer === '' ? 'all of it' : (stepsOf(pointer) ?? [pointer]).join('/');
}
