/** How much the agent may do without asking. */
import { PERMISSION_WORDS, type Permission } from '../../text/permission.js';

interface Props {
  value: Permission | undefined;
  onChange: (permission: Permission) => void;
  /** The owner of the machine allows it here. */
  allowsBypass: boolean;
}

export function PermissionChoice({ value, onChange, allowsBypass }: Props) {
  return (
    <label class="field">
      <span>Permission</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Permission)}>
        {Object.entries(PERMISSION_WORDS).map(([name, text]) => (
          <option key={name} value={name} disabled={name === 'bypass' && !allowsBypass}>
            {name === 'bypass' && !allowsBypass ? 'Allow everything (not allowed here)' : text}
          </option>
        ))}
      </select>
    </label>
  );
}
