/** How a store hears that somebody else wrote, whatever brings the news: a look at the file, a channel of the database, a stream. */
export interface Notifier {
  /**
   * Calls back soon after others may have written, at least once for any number of writes. It promises neither that something
   * changed nor what: whoever hears it looks. Calls that come too often are the notifier's to merge.
   */
  start(heard: () => void): void;
  stop(): void;
}
