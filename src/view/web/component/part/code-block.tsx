/** Code with colours, which come as soon as they are loaded, and a button to copy it. */
import { Check, Copy } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { SafeHtml } from '../../text/safe-html.js';

type Highlight = typeof import('../../text/highlight.js').highlight;
let loaded: Highlight | undefined;

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (language === '' || loaded) return;
    void import('../../text/highlight.js').then((module) => {
      loaded = module.highlight;
      setHighlight(() => module.highlight);
    });
  }, [language]);
  const html = language === '' ? undefined : highlight?.(code, language);
  const copy = async () => {
    await navigator.clipboard.writeText(code).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="code-block">
      <pre>{html === undefined ? <code>{code}</code> : <SafeHtml html={html} inline />}</pre>
      <button
        type="button"
        class="icon-button copy"
        aria-label={isCopied ? 'Copied' : 'Copy the code'}
        onClick={() => void copy()}
      >
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </button>
    </div>
  );
}
