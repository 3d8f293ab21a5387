/** Sums as rows: how sure they are, and what they come to. */
import { defined } from '../../event/index.js';
import { ORIGINS, sumFigures } from '../../ledger/index.js';
import type { Total, TotalKey } from '../query.js';
import { number, type Row, usageOf } from './row.js';

/** Of a run that does not tell where it worked, as one that was read from disk beside others, where its session did. */
export const PROJECT = `coalesce(run.cwd,
  (select max(other.cwd) from run other where other.session = run.session), '')`;

/** Index in `ORIGINS`: a sum is only as sure as the least sure of its runs; a share of a turn is computed at best. */
export function weaknessBy(by: TotalKey): string {
  const rows = ORIGINS.map((origin, index) => `when '${origin}' then ${isShare(by) ? Math.max(1, index) : index}`);
  return `case run.origin ${rows.join(' ')} end`;
}

const TOKENS = ['input', 'output', 'cache_read', 'cache_write', 'thinking'];

const tokensIn = (table: string): string => TOKENS.map((column) => `coalesce(${table}.${column}, 0)`).join(' + ');

const spentSum = (what: string): string => `coalesce((select sum(${what}) from spend where spend.run = run.no), 0)`;

/** Sums of binary fractions leave dust behind. */
const DUST = 1e-9;

/**
 * What was spent, by turn and model, and what a run used beyond the turns whose end it told: its agent works at it, or was killed. So a run is in every sum
 * with all that is known of it, and makes a sum as unsure as it is itself.
 */
export const SPENT = `select run, model, at, usd, ${TOKENS.join(', ')}, cast(null as integer) as calls, cast(null as integer) as failed from spend
  union all
  select no, coalesce(model, ''), updated_at, case when usd > ${spentSum('usd')} + ${DUST} then usd - ${spentSum('usd')} end,
    ${TOKENS.map((column) => `run.${column} - ${spentSum(column)}`).join(', ')}, null, null
  from run where origin = 'lower-bound' and (
    not exists (select 1 from spend where spend.run = run.no) or usd > ${spentSum('usd')} + ${DUST}
    or ${tokensIn('run')} > ${spentSum(tokensIn('spend'))})`;

function isShare(by: TotalKey): boolean {
  return by === 'tool' || by === 'cause';
}

export function totalOf(row: Row): Total {
  const usd = number(row.usd);
  const origin = ORIGINS[Number(row.weakness)] ?? 'lower-bound';
  return defined<Total>({
    key: String(row.key),
    spent: usd === undefined ? undefined : sumFigures([{ usd, scope: 'session', origin }]),
    usage: usageOf(row),
    sessions: Number(row.sessions),
    calls: number(row.calls),
    failed: number(row.failed),
  });
}
