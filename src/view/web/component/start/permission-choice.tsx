/** How much the agent may do without asking, and what that means; only what makes a difference with this agent. */
import type { AgentInfo } from '../../../../client/index.js';
import { type Permission, permissionWords } from '../../text/permission.js';

interface Props {
  agent: AgentInfo | undefined;
  value: Permission;
  onChange: (permission: Permission) => void;
  /** The owner of the machine allows it here. */
  allowsBypass: boolean;
}

export function PermissionChoice({ agent, value, onChange, allowsBypass }: Props) {
  const asks = agent?.capabilities.approvals !== false;
  const names = agent?.permissions ?? [value];
  return (
    <label class="field">
      <span>Permission</span>
      <select
        value={value}
        aria-describedby="permission-meaning"
        onChange={(event) => onChange(event.currentTarget.value as Permission)}
      >
        {names.map((name) => (
          <option key={name} value={name} disabled={name === 'bypass' && !allowsBypass}>
            {name === 'bypass' && !allowsBypass
              ? 'Allow everything (not allowed here)'
              : permissionWords(name, asks).name}
          </option>
        ))}
      </select>
      <small id="permission-meaning">{permissionWords(value, asks).meaning}</small>
    </label>
  );
}

/** What was chosen where it makes a difference; an agent that never asks is refused instead. */
export function permissionFor(agent: AgentInfo | undefined, chosen: Permission): Permission {
  return !agent || agent.permissions.includes(chosen) ? chosen : 'deny';
}
