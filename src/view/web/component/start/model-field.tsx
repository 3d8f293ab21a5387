/** Which model is asked: one that the agent listed or worked with before, or any other that it knows. */
import { useId } from 'preact/hooks';
import type { StartChoices } from '../../../../client/index.js';
import { visible } from '../../text/visible.js';

interface Props {
  value: string;
  onValue: (value: string) => void;
  /** What nothing written means. */
  own: string;
  choices: Pick<StartChoices, 'models' | 'listed'>;
}

export function ModelField({ value, onValue, own, choices: { models, listed } }: Props) {
  const id = useId();
  return (
    <label class="field">
      <span>Model</span>
      <input
        list={id}
        placeholder={visible(own)}
        value={value}
        spellcheck={false}
        maxLength={128}
        onInput={(event) => onValue(event.currentTarget.value.trimStart())}
      />
      <small>{hint(listed, models.length)}</small>
      <datalist id={id}>
        {models.map((model) => (
          <option key={model} value={model} label={visible(model)} />
        ))}
      </datalist>
    </label>
  );
}

function hint(listed: boolean, offered: number): string {
  if (listed) return 'Those that it listed last, or any other that it knows.';
  return offered > 0
    ? 'It has listed none: those used before, or any that it knows.'
    : 'It has listed none: any that it knows.';
}
