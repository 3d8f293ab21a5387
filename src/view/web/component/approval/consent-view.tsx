/** What a person has to know and to read before deciding, to its end. */
import { lazy, Suspense } from 'preact/compat';
import type { Consent, Fact, Part } from '../../../../consent/index.js';
import { visible } from '../../text/visible.js';
import { DifferenceView } from './difference-view.js';

/** A plan is rare, and its reader is large. */
const Markdown = lazy(async () => ({ default: (await import('../part/markdown.js')).Markdown }));

interface Props {
  consent: Consent;
  /** All of it is to be there, though perhaps not yet in sight. */
  isWhole: boolean;
  onWhole: () => void;
}

/** More would hold up the page, and is rarely read. */
const FIRST_LINES = 400;
const FIRST_CHARACTERS = 40_000;

export function ConsentView({ consent: { facts, parts }, isWhole, onWhole }: Props) {
  return (
    <>
      <Facts facts={facts} />
      {parts.map((part, index) => (
        <PartView key={index} part={part} isCut={!isWhole} />
      ))}
      {!isWhole && (
        <button type="button" class="button" onClick={onWhole}>
          Show all of it
        </button>
      )}
    </>
  );
}

export function isLong(parts: readonly Part[]): boolean {
  return parts.some((part) => {
    if (part.kind === 'difference') return part.rows.length > FIRST_LINES;
    return part.text.length > FIRST_CHARACTERS || part.text.split('\n', FIRST_LINES + 1).length > FIRST_LINES;
  });
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ name, text, isWarning }) => (
        <div key={name} class={isWarning ? 'fact-warning' : undefined}>
          <dt>{name}</dt>
          <dd>{visible(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function PartView({ part, isCut }: { part: Part; isCut: boolean }) {
  switch (part.kind) {
    case 'command':
      return <pre class="whole">{shown(part.text, isCut)}</pre>;
    case 'prose':
      return (
        <Suspense fallback={<pre class="whole">{shown(part.text, isCut)}</pre>}>
          <Markdown text={isCut ? beginning(part.text) : part.text} />
        </Suspense>
      );
    case 'field':
      if (isShort(part.text) && part.name !== '') return <Facts facts={[part]} />;
      return (
        <div class="whole-field">
          {part.name !== '' && <span class="faint">{visible(part.name)}</span>}
          <pre class="whole">{shown(part.text, isCut)}</pre>
        </div>
      );
    case 'difference':
      return <DifferenceView part={part} limit={isCut ? FIRST_LINES : undefined} />;
  }
}

function isShort(text: string): boolean {
  return text.length < 80 && !text.includes('\n');
}

function shown(text: string, isCut: boolean): string {
  return visible(isCut ? beginning(text) : text);
}

function beginning(text: string): string {
  return text.slice(0, FIRST_CHARACTERS).split('\n', FIRST_LINES).join('\n');
}
