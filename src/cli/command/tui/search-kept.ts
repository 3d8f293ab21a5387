/** Sessions that somebody looks for: by their titles and projects, and by every word that was said or done in them. */
import type { SessionRecord, Store } from '../../../store/index.js';
import type { Listed } from '../../../view/panels/index.js';

const MOST = 30;

export async function searchKept(
  store: Pick<Store, 'list' | 'search'>,
  text: string,
  listedAs: (session: SessionRecord) => Listed,
): Promise<Listed[]> {
  const words = text.trim();
  const [named, said] = await Promise.all([
    store.list({ text: words, limit: MOST }),
    store.search({ text: openEnded(words), limit: MOST }).catch(() => undefined),
  ]);
  const found = new Map(named.items.map((session) => [session.id, listedAs(session)]));
  for (const { session, hits } of said?.items ?? []) {
    const hit = hits[0]?.snippet.text;
    found.set(session.id, { ...(found.get(session.id) ?? listedAs(session)), ...(hit !== undefined && { hit }) });
  }
  return [...found.values()];
}

/** The last word may be about to be typed. */
function openEnded(words: string): string {
  const last = words.split(/\s/).at(-1) ?? '';
  return /^[\p{L}\p{N}]{2,}$/u.test(last) ? `${words}*` : words;
}
