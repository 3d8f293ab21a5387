/** A session that is continued goes on as it was, or with another permission, model or effort. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import type { SayRequest, SessionRecord } from '../../../../client/index.js';
import { client } from '../../state/server.js';
import { $agents, $health } from '../../state/sessions.js';
import { useAnswer } from '../../state/use-answer.js';
import { PERMISSION_WORDS, type Permission, permissionWords } from '../../text/permission.js';
import { EffortChoice } from '../start/effort-choice.js';
import { ModelField } from '../start/model-field.js';

export type Other = Pick<SayRequest, 'permission' | 'model' | 'effort'>;

interface Props {
  record: SessionRecord;
  other: Other;
  onOther: (other: Other) => void;
}

const NO_MODELS = { models: [], listed: false };

export function OtherTerms({ record, other, onOther }: Props) {
  const allowsBypass = useStore($health)?.bypass ?? false;
  const agent = useStore($agents).find(({ name }) => name === record.agent);
  const { permission: before, effort } = record.runs.at(-1)?.terms ?? {};
  const [isOpen, setOpen] = useState(false);
  const choices = useAnswer(
    async () => (isOpen ? client.startChoices({ agent: record.agent }) : NO_MODELS),
    [isOpen, record.agent],
  );
  const asks = agent?.capabilities.approvals !== false;
  const permissions = agent?.permissions ?? [];
  return (
    <details class="other-terms" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
          <ModelField
            own={record.model ? `As before: ${record.model}` : 'As before'}
            value={other.model ?? ''}
            onValue={(model) => onOther({ ...other, model: model.trim() || undefined })}
            choices={choices.phase === 'ready' ? choices.value : NO_MODELS}
          />
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
