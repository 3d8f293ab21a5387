/** The server does not know this browser: says how to be let in, and nothing about what is behind. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import { codeIn } from '../../../../proof/index.js';
import { enterWith, type Outside } from '../../state/entry.js';
import { $outside } from '../../state/server.js';

const REASONS: Record<Outside, string> = {
  unknown: 'glassbox lets in only browsers that were given a link once.',
  refused:
    'This link or code does not work: it was used already, was too old, was not confirmed, has a mistake, or the server was started again since it was printed.',
  insecure:
    'Over plain HTTP a browser hides its keys from every address but this machine’s own. Come through HTTPS, or forward the port to this machine with ssh -L.',
  unsent:
    'This browser did not say that it opened the page in a window of its own. Load it again, or use a newer browser.',
};

export function LoginHelp() {
  const outside = useStore($outside) ?? 'unknown';
  return (
    <main class="login" id="main">
      <h1>This browser is not logged in</h1>
      <p>{REASONS[outside]}</p>
      {outside !== 'insecure' && (
        <>
          <p>Get a new link in a terminal, and open it in this browser:</p>
          <pre class="login-command">glassbox serve --link</pre>
          <p>Or take one from a browser that is logged in: “Open in another browser”, above its sessions.</p>
          <CodeForm />
        </>
      )}
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}

/** It came by the picture, and somebody who is in has to agree. */
export function GuestWait({ mark }: { mark: string }) {
  return (
    <main class="login" id="main" role="status">
      <h1>Confirm on the other screen</h1>
      <p>There it asks whether this browser may come in. It shows the same number:</p>
      <p class="guest-mark">{mark}</p>
    </main>
  );
}

function CodeForm() {
  const [written, setWritten] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      class="login-code"
      onSubmit={(event) => {
        event.preventDefault();
        const code = codeIn(written);
        setWrong(code === undefined);
        if (code !== undefined) enterWith(code);
      }}
    >
      <label class="field">
        <span>Link or code</span>
        <input
          value={written}
          spellcheck={false}
          autocomplete="off"
          placeholder="XXXX-XXXX-XXXX"
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        Log in
      </button>
      {isWrong && (
        <p class="error-text" role="alert">
          A code has twelve letters and digits.
        </p>
      )}
    </form>
  );
}
