/** Where a session begins: one prompt, and the few choices around it. */
import { useStore } from '@nanostores/preact';
import { useState } from 'preact/hooks';
import type { StartRequest } from '../../../../client/index.js';
import { useDraft } from '../../state/draft.js';
import { go, sessionPath } from '../../state/route.js';
import { client, messageOf } from '../../state/server.js';
import { $agents, $health } from '../../state/sessions.js';
import { BackLink } from '../part/back-link.js';
import { PermissionChoice } from './permission-choice.js';
import { PromptField } from './prompt-field.js';

export function StartPage() {
  const health = useStore($health);
  const agents = useStore($agents);
  const [prompt, setPrompt] = useDraft('new');
  const [agent, setAgent] = useState('');
  const [cwd, setCwd] = useState('');
  const [permission, setPermission] = useState<StartRequest['permission']>('ask');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  const chosen = agents.find(({ name }) => name === agent) ?? agents.find(({ installed }) => installed) ?? agents[0];
  const folder = cwd || health?.projects[0] || '';

  const start = async () => {
    if (chosen === undefined || prompt.trim() === '' || isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      const { session } = await client.start({ agent: chosen.name, prompt, cwd: folder, permission });
      setPrompt('');
      go(sessionPath(session));
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  if (health?.readOnly) {
    return (
      <div class="start">
        <BackLink />
        <h1>Choose a session</h1>
        <p class="faint">This server is read-only: agents cannot be started here.</p>
      </div>
    );
  }
  return (
    <form
      class="start"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <BackLink />
      <h1>What shall be done?</h1>
      <PromptField
        label="Prompt"
        placeholder="Fix the failing test"
        text={prompt}
        rows={4}
        isFocused
        onText={setPrompt}
        onSend={() => void start()}
      />
      <div class="start-choices">
        <label class="field">
          <span>Agent</span>
          <select value={chosen?.name ?? ''} onChange={(event) => setAgent(event.currentTarget.value)}>
            {agents.map(({ name, title, installed }) => (
              <option key={name} value={name} disabled={!installed}>
                {installed ? title : `${title} (not installed)`}
              </option>
            ))}
          </select>
        </label>
        <PermissionChoice value={permission} onChange={setPermission} allowsBypass={health?.bypass ?? false} />
        <label class="field start-folder">
          <span>Folder</span>
          <input
            list="projects"
            value={folder}
            spellcheck={false}
            onInput={(event) => setCwd(event.currentTarget.value)}
          />
          <datalist id="projects">
            {health?.projects.map((project) => (
              <option key={project} value={project} />
            ))}
          </datalist>
        </label>
      </div>
      {chosen?.installed === false && <p class="faint">{chosen.install}</p>}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button primary" disabled={isBusy || prompt.trim() === '' || !chosen?.installed}>
        {isBusy ? 'Starting…' : 'Start'}
      </button>
    </form>
  );
}
