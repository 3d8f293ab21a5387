/**
 * What an agent's raw lines say, read a second time in the plainest way and without our translator, so that a test can compare. Each reader
 * is deliberately small: only what the wire says in so many words. What a reader does not tell is not compared.
 */
export interface WireFacts {
  /** One entry per line that ends a turn, in the order of the wire. `usd` is what the agent itself says it cost. */
  turns: { text?: string; usd?: number }[];
  /** How each of them ended, in neutral words. */
  outcomes?: string[];
  /** The wire tells only how the last of several turns ended. */
  onlyLast?: true;
  /** Whole texts that the agent said and did not take back, in order. */
  texts: string[];
  /** Whole thoughts, likewise. */
  thoughts?: string[];
  /** Ids of the tool calls that have a card of their own. */
  toolIds: string[];
  /** What they were called with. */
  inputs?: Called[];
  /** Results with the id of their call, in order, where the wire has them as plain text. */
  outputs: [id: string, output: string][];
  /** Calls that the wire calls failed, and calls that it calls good. */
  failed: string[];
  fine: string[];
  /** Calls that the wire calls refused; they are no mere failures. */
  denied?: string[];
  /** `id 3`: how commands ended, where the wire has a number. */
  exits?: string[];
  /** Files that a call changed for certain. */
  files?: string[];
  /** The agent's own name for its session, the last one. */
  session?: string;
  /** What all turns cost together, in the agent's own view, where that is told by step and not by turn. Nothing means that no price is known, so it is absent. */
  usd?: number;
  /** Of all turns of the main conversation together; what is absent is not compared. */
  tokens?: Tokens;
  /** `opus 15 0.002`: each model of the last turn with its answers' tokens, sub-agents included, and what it cost where that is told. */
  models?: string[];
  /** What the agent says went wrong with it or its model. */
  errors?: string[];
  /** Model calls that are tried again. */
  retries?: number;
  /** `five_hour 0.5`: each window of each line about limits. */
  limits?: string[];
  /** Sub-agents and background work that began, and `id ok` for each that ended. */
  tasks?: string[];
  taskEnds?: string[];
  /** Hooks that ran, by id, and `id failed` for each that ended. */
  hooks?: string[];
  hookEnds?: string[];
  /** The last list: `done first`. Empty when there is none. */
  todos?: string[];
  /** Questions to a person or a host, by id, and `id deny` where the wire shows what became of one. */
  asks?: string[];
  decisions?: string[];
}

export type Called = [id: string, input: unknown];

/** In the neutral sense: `input` without what came from a cache, `output` with what was thought. */
export interface Tokens {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** Absent where an agent has a second stream that no oracle reads. */
export type Oracle = (lines: readonly unknown[]) => WireFacts | undefined;

export type Line = { [key: string]: unknown };

export const noFacts = (): WireFacts => ({ turns: [], texts: [], toolIds: [], outputs: [], failed: [], fine: [] });

export function isObject(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): Line[] => list(value).filter(isObject);

export const inside = (value: unknown): Line => (isObject(value) ? value : {});

export const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const sum = (values: readonly unknown[]): number => values.reduce<number>((all, value) => all + count(value), 0);

/** Field by field; the names are those of the wire. */
export function total(usages: readonly unknown[], names: Record<keyof Tokens, string>): Tokens {
  const of = (name: string) => sum(usages.map((usage) => inside(usage)[name]));
  return {
    input: of(names.input),
    output: of(names.output),
    cacheRead: of(names.cacheRead),
    cacheWrite: of(names.cacheWrite),
  };
}

/** The number in what a command said at last, for those who tell it in words. */
export function exitsIn(outputs: readonly (readonly [id: string, output: string])[], words: RegExp): string[] {
  return outputs.flatMap(([id, text]) => {
    const code = words.exec(text)?.[1];
    return code === undefined ? [] : [`${id} ${code}`];
  });
}

/** The last value under this name, where it is a text. */
export function lastOf(lines: readonly Line[], name: string): { session?: string } {
  const id = lines.findLast((line) => typeof line[name] === 'string')?.[name];
  return id === undefined ? {} : { session: String(id) };
}

export const modelLine = (model: string, output: unknown, usd?: unknown): string =>
  [model, count(output), ...(typeof usd === 'number' ? [usd] : [])].join(' ');

/** The texts of blocks of content, one below the other. */
export const joined = (content: unknown): string =>
  objects(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');

/** What is JSON in a string; anything else is undefined. */
export function unpacked(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Failures often quote the body of the model's answer, JSON in a text; what it says to people is its message. */
export function complaint(text: unknown): string {
  const quoted = /"message":("(?:[^"\\]|\\.)*")/.exec(String(text))?.[1];
  return quoted === undefined ? String(text) : String(unpacked(quoted));
}

/** In the words of the neutral list. */
export function todo(text: unknown, status: unknown): string {
  const word = String(status).replace(/[ _-]/g, '').toLowerCase();
  const state = /^(completed|done|true)$/.test(word)
    ? 'done'
    : /^(inprogress|active)$/.test(word)
      ? 'active'
      : 'pending';
  return `${state} ${text}`;
}
