/** How often somebody may ask, as whoever starts a server says it. */
export interface RateLimit {
  /** How many at once. */
  burst: number;
  perSecond: number;
}

export interface RateLimits {
  /** Of each principal. */
  known?: RateLimit | undefined;
  /** Of each address that shows something which lets nobody in. */
  unknown?: RateLimit | undefined;
}
