/** What many machines share beside events: who may come in, who did what, work and who does it, what it may cost. */
import { type AuditTable, createAuditTable } from './audit.js';
import { type BudgetTable, createBudgetTable } from './budget.js';
import { createJobTable, type JobTable } from './job.js';
import { createLoginTable, type LoginTable } from './login.js';
import type { Sql } from './sql.js';
import { createTokenTable, type TokenTable } from './token.js';
import { createWorkerTable, type WorkerTable } from './worker.js';

export interface FleetStore {
  readonly tokens: TokenTable;
  readonly audit: AuditTable;
  readonly jobs: JobTable;
  readonly workers: WorkerTable;
  readonly budgets: BudgetTable;
  /** Absent where the store is one machine's: its server knows browsers by itself. */
  readonly logins?: LoginTable;
}

/** The one implementation, over any database that has the tables of `FLEET_TABLES` and those of runs; those of `LOGIN_TABLES` where it is shared. */
export function createFleet(sql: Sql, { isShared = false } = {}): FleetStore {
  return {
    tokens: createTokenTable(sql),
    audit: createAuditTable(sql),
    jobs: createJobTable(sql),
    workers: createWorkerTable(sql),
    budgets: createBudgetTable(sql),
    ...(isShared && { logins: createLoginTable(sql) }),
  };
}
