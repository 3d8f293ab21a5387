/** Columns that several tables have. */

/** In the order of `usageValues`, after the money. */
export const USAGE_COLUMNS = ['usd', 'input', 'output', 'cache_read', 'cache_write', 'thinking'] as const;

/** Shares of tokens are no whole numbers. */
export const USAGE: string = USAGE_COLUMNS.map((column) => `${column} double precision`).join(', ');

export const FIGURES: string = `${USAGE}, origin text, balance text, lacks text`;

/** For `on conflict do update`: what is unknown stays unknown until something is known. */
export function addFigures(table: string): string {
  return USAGE_COLUMNS.map(
    (column) => `${column} = coalesce(${table}.${column} + excluded.${column}, ${table}.${column}, excluded.${column})`,
  ).join(', ');
}
