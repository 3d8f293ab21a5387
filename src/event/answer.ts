/** What somebody says to a request, and who that was: the same words in the library, the store and over HTTP. */

/** Edits of an input by JSON Pointer (RFC 6901); what is not named keeps its original, also where it was shown cut or redacted. */
export interface Changes {
  set?: Readonly<Record<string, unknown>> | undefined;
  remove?: readonly string[] | undefined;
}

/** What somebody says to a request. `remember` names the suggestions that are accepted too, by their position. */
export type Answer =
  | { type: 'approve'; changes?: Changes | undefined; remember?: readonly number[] | undefined }
  | { type: 'deny'; message?: string | undefined; interrupt?: boolean | undefined }
  | { type: 'answer'; answers: Readonly<Record<string, unknown>> };

/** What a kind of answer says besides its type: `AnswerOf<'approve'>` is `{ changes, remember }`. */
export type AnswerOf<Type extends Answer['type']> = Omit<Extract<Answer, { type: Type }>, 'type'>;

/** Who decided: a person by name and by which way, a rule by its words, the clock, or nobody, which means no. */
export interface Decider {
  by: DecidedBy;
  /** Name of the person or of the token. */
  who?: string;
  /** The machine at which the person sat, where that is known. */
  host?: string;
  /** How the decision came: from the terminal of the run, another terminal, the page, a program. */
  via?: 'terminal' | 'page' | 'program';
  rule?: string;
  /** The run from whose inside it came, which is why it is refused. */
  inside?: string;
}

/** `nobody`: nobody was there to be asked. `unknown`: somebody else answered and the stream does not show who or what. */
export type DecidedBy = 'person' | 'rule' | 'timeout' | 'nobody' | 'unknown';
