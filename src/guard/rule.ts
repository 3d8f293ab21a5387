/** What a secret looks like, in a form that recognises it while it is still arriving. */

export interface Rule {
  /** Shown in place of the secret: `[redacted:<name>]`. */
  readonly name: string;
  /** Source of an expression that must stand directly before the secret and stays visible. Bounded. */
  readonly before?: string;
  /** Source of an expression for the secret's beginning. Bounded, without capturing groups. */
  readonly match: string;
  /** Source of an expression for one further character of the secret. */
  readonly rest?: string;
  /** Source of an expression for several further characters that belong together, where one alone would not belong to it. */
  readonly piece?: string;
  /** Source of an expression that ends the secret and is swallowed too; without it the secret ends where `rest` does. */
  readonly until?: string;
  /** Last word, given what `match` took and what stands before it, as far as a rule may look back. */
  readonly accept?: (value: string, lead: string) => boolean;
}

/** How far back a rule may look for what stands before a secret. */
export const LOOK_BACK = 160;
/** No rule's `match` is longer, so what lies further back cannot become a secret any more. */
export const MAX_OPEN = 640;
