/** A session that is continued goes on as it was, or with another permission, model or effort. */
import { useStore } from '@nanostores/preact';
import type { SayRequest, SessionRecord } from '../../../../client/index.js';
import { $agents, $health } from '../../state/sessions.js';
import { PERMISSION_WORDS, type Permission, permissionWords } from '../../text/permission.js';
import { visible } from '../../text/visible.js';
import { EffortChoice } from '../start/effort-choice.js';

export type Other = Pick<SayRequest, 'permission' | 'model' | 'effort'>;

interface Props {
  record: SessionRecord;
  other: Other;
  onOther: (other: Other) => void;
}

export function OtherTerms({ record, other, onOther }: Props) {
  const allowsBypass = useStore($health)?.bypass ?? false;
  const agent = useStore($agents).find(({ name }) => name === record.agent);
  const { permission: before, effort } = record.runs.at(-1)?.terms ?? {};
  const asks = agent?.capabilities.approvals !== false;
  const permissions = agent?.permissions ?? [];
  return (
    <details class="other-terms">
      <summary>
        {other.permission || other.model || other.effort ? 'Goes on otherwise than before' : 'Goes on as before'}
      </summary>
      <div class="start-choices">
        <label class="field">
          <span>Permission</span>
          <select
            value={other.permission ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onOther({ ...other, permission: value === '' ? undefined : (value as Permission) })
            }
          >
            <option value="">As before{before ? `: ${PERMISSION_WORDS[before]}` : ''}</option>
            {permissions
              .filter((name) => name !== before && (name !== 'bypass' || allowsBypass))
              .map((name) => (
                <option key={name} value={name}>
                  {permissionWords(name, asks).name}
                </option>
              ))}
          </select>
        </label>
        {agent?.capabilities.model !== false && (
          <label class="field">
            <span>Model</span>
            <input
              spellcheck={false}
              placeholder={visible(record.model ? `As before: ${record.model}` : 'As before')}
              value={other.model ?? ''}
              onInput={({ currentTarget: { value } }) => onOther({ ...other, model: value.trim() || undefined })}
            />
          </label>
        )}
        <EffortChoice
          agent={agent}
          own={effort ? `As before: ${effort}` : 'As before'}
          value={other.effort ?? ''}
          onChange={(value) => onOther({ ...other, effort: value || undefined })}
        />
      </div>
    </details>
  );
}
