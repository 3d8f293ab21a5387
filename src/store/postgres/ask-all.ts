import type { SqlRow, SqlStatement } from '../fleet/sql.js';
import type { Database } from './connection.js';

/** Statements in the spelling that every database of ours knows, in one transaction. */
export function askAll(db: Database, statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
  return db.transaction(async (tx) => {
    const found: SqlRow[][] = [];
    for (const { sql, values } of statements) found.push(await tx.all(sql.replaceAll(/\?(\d+)/g, '$$$1'), ...values));
    return found;
  });
}
