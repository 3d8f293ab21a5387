/** How far the agent may go before it is ended, as far as that can be held with it, and whether it works apart. */
import type { AgentInfo, StartRequest } from '../../../../client/index.js';

/** As it is written in the fields. */
export interface Limits {
  budget: string;
  minutes: string;
  turns: string;
  worktree: boolean;
}

export const NO_LIMITS: Limits = { budget: '', minutes: '', turns: '', worktree: false };

interface Props {
  agent: AgentInfo | undefined;
  limits: Limits;
  onLimits: (limits: Limits) => void;
  /** A work tree can be made of the folder. */
  hasWorktree: boolean;
}

export function LimitFields({ agent, limits, onLimits, hasWorktree }: Props) {
  const unit = budgetUnit(agent);
  const set = (change: Partial<Limits>) => onLimits({ ...limits, ...change });
  return (
    <>
      {unit !== undefined && (
        <Amount
          label={unit === 'usd' ? 'Budget in $' : 'Budget in tokens'}
          step={unit === 'usd' ? '0.01' : '1000'}
          value={limits.budget}
          onValue={(budget) => set({ budget })}
        />
      )}
      <Amount label="Time in minutes" step="1" value={limits.minutes} onValue={(minutes) => set({ minutes })} />
      <Amount label="Turns" step="1" value={limits.turns} onValue={(turns) => set({ turns })} />
      {hasWorktree && (
        <label class="check start-wide">
          <input
            type="checkbox"
            checked={limits.worktree}
            onChange={(event) => set({ worktree: event.currentTarget.checked })}
          />
          <span>
            In a work tree of its own
            <small>A folder and a branch made from the last commit. It goes when nothing changed in it.</small>
          </span>
        </label>
      )}
    </>
  );
}

/** What the request says of them. What an agent cannot hold is not asked of it, though it was written for another one. */
export function limitsFor(agent: AgentInfo | undefined, limits: Limits, hasWorktree: boolean): Partial<StartRequest> {
  const unit = budgetUnit(agent);
  const [budget, minutes, turns] = [limits.budget, limits.minutes, limits.turns].map(Number);
  return {
    ...(budget && unit === 'usd' && { budgetUsd: budget }),
    ...(budget && unit === 'tokens' && { budgetTokens: Math.ceil(budget) }),
    ...(minutes && { timeoutMs: Math.round(minutes * 60_000) }),
    ...(turns && { maxTurns: Math.ceil(turns) }),
    ...(limits.worktree && hasWorktree && { worktree: true }),
  };
}

/** In one line, what is set. */
export function limitsText(asked: Partial<StartRequest>): string {
  const { budgetUsd, budgetTokens, timeoutMs, maxTurns, worktree } = asked;
  return [
    budgetUsd && `at most $${budgetUsd}`,
    budgetTokens && `at most ${budgetTokens} tokens`,
    timeoutMs && `${timeoutMs / 60_000} min`,
    maxTurns && `${maxTurns} turns`,
    worktree && 'own work tree',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Money where the agent tells it, else tokens, else nothing could be held. */
function budgetUnit(agent: AgentInfo | undefined): 'usd' | 'tokens' | undefined {
  if (agent?.capabilities.cost) return 'usd';
  return agent?.capabilities.usage ? 'tokens' : undefined;
}

interface AmountProps {
  label: string;
  step: string;
  value: string;
  onValue: (value: string) => void;
}

function Amount({ label, step, value, onValue }: AmountProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode="decimal"
        min={step}
        step="any"
        placeholder="no limit"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}
