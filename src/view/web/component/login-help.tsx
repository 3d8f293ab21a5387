/** The server does not know this browser: says how to be let in, and nothing about what is behind. */

export function LoginHelp() {
  return (
    <main class="login" id="main">
      <h1>This browser is not logged in</h1>
      <p>
        Open the link that <code>glassbox serve</code> printed in the terminal. It works once; start the server again,
        or ask it for a new one, if yours was used already.
      </p>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
