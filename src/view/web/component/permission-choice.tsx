/** How much the agent may do without asking. */
import type { StartRequest } from '../../../client/index.js';

type Permission = NonNullable<StartRequest['permission']>;

const CHOICES: Record<Permission, string> = {
  ask: 'Ask me',
  'accept-edits': 'Edit files freely, ask for the rest',
  plan: 'Only plan',
  deny: 'Deny what needs asking',
  bypass: 'Allow everything (dangerous)',
};

interface Props {
  value: Permission | undefined;
  onChange: (permission: Permission) => void;
}

export function PermissionChoice({ value, onChange }: Props) {
  return (
    <label class="field">
      <span>Permission</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Permission)}>
        {Object.entries(CHOICES).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
