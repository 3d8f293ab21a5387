/** What lies around a question and is not in it: known to whoever looks at all sessions, or at the working tree. */

export interface Around {
  /** Those of its files that have changes which are in no commit. */
  uncommitted?: string[];
  /** Those of its files that git ignores: what is lost there is lost. */
  ignored?: string[];
  /** Other sessions that work in the same folder, as people call them. */
  beside?: string[];
}
