/**
 * A text field that grows with its text. Return sends, Shift and Return begin a new line; / and @ offer commands and files; the arrow up in an
 * empty field brings back what was said before.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Offer, useCompletion } from '../../state/use-completion.js';
import { completed, type Wanted, wantedAt } from '../../text/completion.js';
import { visible } from '../../text/visible.js';

interface Props {
  label: string;
  placeholder: string;
  text: string;
  rows: number;
  isFocused?: boolean;
  isDisabled?: boolean;
  offer?: Offer;
  /** The latest first. */
  before?: () => readonly string[];
  onText: (text: string) => void;
  onSend: () => void;
}

const NOTHING: Offer = { commands: [] };

export function PromptField({ label, placeholder, text, rows, isFocused, isDisabled, ...props }: Props) {
  const { offer = NOTHING, before, onText, onSend } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [wanted, setWanted] = useState<Wanted>();
  const [at, setAt] = useState(0);
  const said = useRef<{ texts: readonly string[]; at: number }>();
  const offered = useCompletion(wanted, offer);
  const chosen = Math.min(at, offered.length - 1);
  useEffect(() => {
    if (isFocused && matchMedia('(min-width: 760px)').matches) field.current?.focus();
  }, [isFocused]);

  const look = (area: HTMLTextAreaElement) => {
    const now = area.selectionStart === area.selectionEnd ? wantedAt(area.value, area.selectionStart) : undefined;
    if (now?.text !== wanted?.text || now?.kind !== wanted?.kind) setAt(0);
    setWanted(now);
  };
  const write = (next: string, cursor: number) => {
    onText(next);
    setWanted(undefined);
    requestAnimationFrame(() => field.current?.setSelectionRange(cursor, cursor));
  };
  const take = (name: string) => {
    if (!wanted || !field.current) return;
    const next = completed(text, field.current.selectionStart, wanted, name);
    write(next.text, next.cursor);
    field.current.focus();
  };
  /** Only in a field that is empty or holds what was brought back. */
  const recall = (steps: number): boolean => {
    const known = said.current && text === said.current.texts[said.current.at] ? said.current : undefined;
    if (!known && text !== '') return false;
    const { texts, at: now } = known ?? { texts: before?.() ?? [], at: -1 };
    const next = now + steps;
    if (next < -1 || next >= texts.length) return false;
    said.current = { texts, at: next };
    const found = texts[next] ?? '';
    write(found, found.length);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (offered.length > 0) {
      const name = offered[chosen];
      if (step !== 0) setAt((chosen + step + offered.length) % offered.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && name !== undefined) take(name);
      else if (event.key === 'Escape') setWanted(undefined);
      else return;
      return event.preventDefault();
    }
    if (step !== 0 && recall(-step)) return event.preventDefault();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSend();
  };

  return (
    <div class="prompt-area">
      <textarea
        ref={field}
        class="prompt-field"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? 'offered' : undefined}
        aria-activedescendant={offered.length > 0 ? `offered-${chosen}` : undefined}
        placeholder={placeholder}
        rows={rows}
        value={text}
        disabled={isDisabled}
        onInput={(event) => {
          onText(event.currentTarget.value);
          look(event.currentTarget);
        }}
        onClick={(event) => look(event.currentTarget)}
        onBlur={() => setWanted(undefined)}
        onKeyDown={onKeyDown}
      />
      {offered.length > 0 && (
        <div class="offered" id="offered" role="listbox" aria-label={wanted?.kind === 'file' ? 'Files' : 'Commands'}>
          {offered.map((name, index) => (
            <div
              key={name}
              id={`offered-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              title={visible(name)}
              // The field keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                take(name);
              }}
            >
              <OfferedName name={visible(wanted?.kind === 'file' ? name : `/${name}`)} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** The folders of a file are quieter than its name. */
function OfferedName({ name }: { name: string }) {
  const cut = name.startsWith('/') ? 0 : name.lastIndexOf('/') + 1;
  return (
    <>
      <span class="offered-name cut">{name.slice(cut)}</span>
      {cut > 0 && <span class="faint cut">{name.slice(0, cut - 1)}</span>}
    </>
  );
}
