/** A text field that grows with its text. Return sends, Shift and Return begin a new line. */
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  label: string;
  placeholder: string;
  text: string;
  rows: number;
  isFocused?: boolean;
  isDisabled?: boolean;
  onText: (text: string) => void;
  onSend: () => void;
}

export function PromptField({ label, placeholder, text, rows, isFocused, isDisabled, onText, onSend }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused && matchMedia('(min-width: 760px)').matches) field.current?.focus();
  }, [isFocused]);
  return (
    <textarea
      ref={field}
      class="prompt-field"
      aria-label={label}
      placeholder={placeholder}
      rows={rows}
      value={text}
      disabled={isDisabled}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}
