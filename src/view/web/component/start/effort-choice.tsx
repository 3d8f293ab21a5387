/** How hard the agent thinks, in its own words; only where it can be told. */
import type { AgentInfo } from '../../../../client/index.js';

interface Props {
  agent: AgentInfo | undefined;
  /** What nothing chosen means. */
  own: string;
  value: string;
  onChange: (effort: string) => void;
}

export function EffortChoice({ agent, own, value, onChange }: Props) {
  const efforts = agent?.efforts ?? [];
  if (efforts.length === 0) return null;
  return (
    <label class="field">
      <span>Effort</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{own}</option>
        {efforts.map((effort) => (
          <option key={effort} value={effort}>
            {effort}
          </option>
        ))}
      </select>
    </label>
  );
}
