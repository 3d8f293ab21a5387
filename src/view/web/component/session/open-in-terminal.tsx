/** The command that goes on with the session in the agent's own program; the agent's id is shown here and nowhere else. */
import { useState } from 'preact/hooks';
import type { OpenCommand } from '../../../../client/index.js';
import { client, messageOf } from '../../state/server.js';
import { visible } from '../../text/visible.js';

interface Props {
  session: string;
  onProblem: (problem: string) => void;
}

export function OpenInTerminal({ session, onProblem }: Props) {
  const [open, setOpen] = useState<OpenCommand>();
  const ask = () => {
    onProblem('');
    client.openCommand(session).then(setOpen, (error: unknown) => onProblem(messageOf(error)));
  };
  return (
    <>
      <button type="button" onClick={ask}>
        Open in a terminal…
      </button>
      {open && <Command text={open.command} />}
      {open && <Command text={open.own} />}
    </>
  );
}

function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <p class="menu-command">
      <code>{visible(text)}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}
