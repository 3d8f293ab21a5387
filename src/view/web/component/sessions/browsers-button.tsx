/** Lets another browser in, and shows those that are. */
import { UserPlus } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import type { BrowserRecord, LoginLink } from '../../../../client/index.js';
import { client, messageOf, thisBrowser } from '../../state/server.js';
import { useNow } from '../../state/use-now.js';
import { ago } from '../../text/format.js';
import { visible } from '../../text/visible.js';

/** Named: with words, where there is room for them. */
export function BrowsersButton({ isNamed = false }: { isNamed?: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [link, setLink] = useState<LoginLink>();
  const [browsers, setBrowsers] = useState<BrowserRecord[]>([]);
  const [own, setOwn] = useState<string>();
  const [problem, setProblem] = useState('');

  const attempt = async (act: () => Promise<void>) => {
    setProblem('');
    await act().catch((error: unknown) => setProblem(messageOf(error)));
  };
  const open = () => {
    dialog.current?.showModal();
    void attempt(async () => {
      setOwn(await thisBrowser());
      setBrowsers(await client.browsers());
      setLink(await client.createLink());
    });
  };
  const forget = (id: string) =>
    void attempt(async () => {
      await client.forgetBrowser(id);
      setBrowsers(await client.browsers());
    });

  return (
    <>
      <button
        type="button"
        class={isNamed ? 'button' : 'icon-button'}
        aria-label={isNamed ? undefined : 'Open in another browser'}
        title={isNamed ? undefined : 'Open in another browser'}
        onClick={open}
      >
        <UserPlus size={18} aria-hidden="true" />
        {isNamed && 'Browsers…'}
      </button>
      <dialog ref={dialog} class="browsers" aria-labelledby="browsers-title" onClose={() => setLink(undefined)}>
        <h2 id="browsers-title">Open in another browser</h2>
        {link && <Link {...link} />}
        {problem !== '' && (
          <p class="error-text" role="alert">
            {problem}
          </p>
        )}
        <h3>Browsers that are logged in</h3>
        <BrowserList browsers={browsers} own={own} onForget={forget} />
        <form method="dialog" class="browsers-end">
          <button type="submit" class="button">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}

function Link({ link, code }: LoginLink) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(link).then(() => setCopied(true));
  return (
    <>
      <p>This link works once, while the server runs:</p>
      <p class="browsers-link">
        <code>{link}</code>
        <button type="button" class="button" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </p>
      <p class="faint">
        A browser that shows the login page takes the code alone too: <code>{code}</code>
      </p>
    </>
  );
}

interface ListProps {
  browsers: BrowserRecord[];
  own: string | undefined;
  onForget: (id: string) => void;
}

function BrowserList({ browsers, own, onForget }: ListProps) {
  const now = useNow(30_000);
  return (
    <ul class="browsers-items">
      {browsers.map(({ id, name, usedAt }) => (
        <li key={id}>
          <span>{visible(name)}</span>
          <span class="faint">{id === own ? 'this one' : ago(usedAt, now)}</span>
          <button type="button" class="button quiet" aria-label={`Forget ${name}`} onClick={() => onForget(id)}>
            Forget
          </button>
        </li>
      ))}
    </ul>
  );
}
