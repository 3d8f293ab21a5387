/** The session elsewhere: as a file, or in the agent's own program. */
import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { client, messageOf } from '../../state/server.js';
import { Menu } from '../part/menu.js';
import { OpenInTerminal } from './open-in-terminal.js';

export function ExportMenu({ session }: { session: string }) {
  const [problem, setProblem] = useState('');
  const save = (format: 'html' | 'markdown') => {
    setProblem('');
    download(session, format).catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <Menu label="Export" icon={<Download size={18} aria-hidden="true" />}>
      <button type="button" onClick={() => save('html')}>
        As a web page (HTML)
      </button>
      <button type="button" onClick={() => save('markdown')}>
        As Markdown
      </button>
      <OpenInTerminal session={session} onProblem={setProblem} />
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </Menu>
  );
}

/** It is asked for like everything else, so no address exists that would give it away. */
async function download(session: string, format: 'html' | 'markdown'): Promise<void> {
  const { name, text } = await client.export(session, format);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
