/** Sorts a failure that an agent printed into a category, by HTTP status first and by its words second. */
import type { ErrorCategory, ErrorFacts } from '../event/index.js';
import { members, string } from './field.js';

/** Next steps by category, as one agent's users need them. */
export type Hints = Partial<Record<ErrorCategory, string>>;

/** An error as everybody reads it: its category by what it says, and the next step for it. */
export function faultOf(
  message: string,
  hints: Hints = {},
  httpStatus = statusIn(message),
  category: ErrorCategory = byWords(message) ?? byStatus(httpStatus) ?? 'unknown',
): ErrorFacts {
  const hint = hints[category];
  return {
    category,
    message: plainWords(message),
    ...(hint !== undefined && { hint }),
    ...(httpStatus !== undefined && { httpStatus }),
  };
}

/** The error of every turn that was interrupted; by whom is not said here, because the streams do not. */
export const INTERRUPTED: ErrorFacts = { category: 'interrupted', message: 'Interrupted.' };

/** Words that say more than the status: a 429 may be an empty purse, a 400 a full context. */
const WORDS: readonly [RegExp, ErrorCategory][] = [
  [/\bquota\b|billing|insufficient (credit|balance|funds)|usage limit/i, 'billing'],
  [/context (window|length)|maximum context|too many tokens|prompt is too long|context_length/i, 'context-limit'],
  [/content[ _]filter|refus(al|ed to answer)|safety settings|prohibited content/i, 'refusal'],
  [
    /model\b.{0,200}\b(not found|does not exist|not supported)|unknown model|model_not_found|no such model/i,
    'model-not-found',
  ],
  [/(incorrect|missing) api key|invalid api key|api key not valid|unauthorized|not logged in|authentication/i, 'auth'],
  [
    /missing environment variable|no api key|(invalid|bad|missing|unreadable) config|config(uration)? (error|file)/i,
    'config',
  ],
  [/rate.?limit|too many requests/i, 'rate-limit'],
  [/overloaded|high demand|at capacity/i, 'overloaded'],
  [
    /econnre|enotfound|could not connect|connection (error|failed|refused|reset)|network (error|is unreachable|timeout)|disconnected|fetch failed|^(\w{0,40}Error: )?terminated$/i,
    'network',
  ],
  [/interrupted|aborted|cancell?ed by/i, 'interrupted'],
  [/internal (server )?error/i, 'server'],
];

/** A provider's JSON in the words of an agent is replaced by what it says. */
function plainWords(message: string): string {
  const json = message.slice(message.indexOf('{'), message.lastIndexOf('}') + 1);
  if (!json.startsWith('{')) return message;
  try {
    const body = members(JSON.parse(json));
    const words = string(members(body.error).message) ?? string(body.message);
    return words === undefined ? message : message.replace(json, () => words);
  } catch {
    return message;
  }
}

function byWords(message: string): ErrorCategory | undefined {
  return WORDS.find(([words]) => words.test(message))?.[1];
}

function byStatus(status: number | undefined): ErrorCategory | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 413) return 'context-limit';
  if (status === 429) return 'rate-limit';
  if (status === 503 || status === 529) return 'overloaded';
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid-request' : undefined;
}

function statusIn(message: string): number | undefined {
  // In words, in front, or in a provider's JSON that is passed on as it came.
  const found = /\b(?:status(?: code)?:?|HTTP|error)[ :]+([45]\d\d)\b|^([45]\d\d)\b|"code": ?([45]\d\d)\b/i.exec(
    message,
  );
  return found ? Number(found[1] ?? found[2] ?? found[3]) : undefined;
}
