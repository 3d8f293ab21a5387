/** JSON of a tool as people read it; undefined where it is none, or where there would be far more spaces than words. */
const MOST_READ = 20_000;
const MOST_WRITTEN = 100_000;

export function prettyJson(text: string): string | undefined {
  if (text.length > MOST_READ || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const pretty = JSON.stringify(JSON.parse(text), undefined, 2);
    // Lists in lists: a thousand levels are four million spaces.
    return pretty.length > MOST_WRITTEN ? undefined : pretty;
  } catch {
    return undefined;
  }
}
