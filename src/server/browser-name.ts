/** What people call a browser, from how it calls itself. Only a name: nothing is decided by it. */

const PROGRAMS: readonly [RegExp, string][] = [
  [/\bEdg[A-Za-z]{0,9}\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bLinux\b/, 'Linux'],
];

export function browserName(userAgent: string): string {
  const named = (table: typeof PROGRAMS) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = named(SYSTEMS);
  return `${named(PROGRAMS) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`;
}
