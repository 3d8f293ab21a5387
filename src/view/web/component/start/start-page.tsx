/** Where a session begins: one prompt, and the few choices around it; what the agent cannot do is not offered. */

import { saidBefore } from '../../state/said-before.js';
import { $sessions } from '../../state/sessions.js';
import { useStart } from '../../state/use-start.js';
import { AttachButton, AttachedFiles, useDropTarget } from '../attach/attach.js';
import { BackLink } from '../part/back-link.js';
import { EffortChoice } from './effort-choice.js';
import { JobWait } from './job-wait.js';
import { LimitFields, limitsText } from './limits.js';
import { ModelField } from './model-field.js';
import { PermissionChoice } from './permission-choice.js';
import { PlaceChoice } from './place-choice.js';
import { PromptField } from './prompt-field.js';

export function StartPage() {
  const { health, agents, agent, prompt, folder, place, choices, within, isBusy, problem, job, start, ...set } =
    useStart();
  const { isOver, handlers } = useDropTarget(set.attachments);
  if (health?.readOnly) {
    return (
      <div class="start">
        <BackLink />
        <h1>Choose a session</h1>
        <p class="faint">This server is read-only: agents cannot be started here.</p>
      </div>
    );
  }
  if (job) return <JobWait job={job} onBack={() => set.setJob(undefined)} />;
  return (
    <form
      class={isOver ? 'start drop-here' : 'start'}
      {...handlers}
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
        offer={{ commands: choices.commands, ...(place ? {} : { folder }) }}
        before={() => saidBefore(Object.values($sessions.get()))}
        onText={set.setPrompt}
        onSend={() => void start()}
      />
      <AttachedFiles attachments={set.attachments} />
      <p class="prompt-hint faint">
        <AttachButton attachments={set.attachments} />
        {choices.commands.length > 0 && <span>/ commands</span>}
        {!place && <span>@ files</span>}
        <span>↑ said before</span>
      </p>
      <div class="start-choices">
        <PlaceChoice
          workers={set.workers}
          hasHere={(health?.projects.length ?? 0) > 0}
          place={place}
          onPlace={set.setPlace}
        />
        <label class="field">
          <span>Agent</span>
          <select value={agent?.name ?? ''} onChange={(event) => set.setAgent(event.currentTarget.value)}>
            {agents.map(({ name, title, installed }) => (
              <option key={name} value={name} disabled={!installed}>
                {installed ? title : `${title} (${place ? 'not there' : 'not installed'})`}
              </option>
            ))}
          </select>
        </label>
        {set.hasModel && (
          <ModelField value={set.model} onValue={set.setModel} own="The agent’s own choice" choices={choices} />
        )}
        <EffortChoice agent={agent} own="Its own choice" value={set.effort} onChange={set.setEffort} />
        <PermissionChoice
          agent={agent}
          value={set.permission}
          onChange={set.setPermission}
          allowsBypass={health?.bypass ?? false}
        />
        {!place && (
          <label class="field start-wide">
            <span>Folder</span>
            <input
              list="projects"
              value={folder}
              spellcheck={false}
              onInput={(event) => set.setCwd(event.currentTarget.value)}
            />
            <datalist id="projects">
              {health?.projects.map((project) => (
                <option key={project} value={project} />
              ))}
            </datalist>
          </label>
        )}
      </div>
      <details class="start-more">
        <summary>
          {choices.worktree ? 'Limits and work tree' : 'Limits'} <span class="faint">{limitsText(within)}</span>
        </summary>
        <div class="start-choices">
          <LimitFields agent={agent} limits={set.limits} onLimits={set.setLimits} hasWorktree={choices.worktree} />
        </div>
      </details>
      {agents.length > 0 && !agent && <p class="faint">{NOBODY}</p>}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <button
        type="submit"
        class="button primary"
        disabled={isBusy || set.attachments.isBusy || prompt.trim() === '' || !agent}
      >
        {isBusy ? 'Starting…' : place ? 'Send' : 'Start'}
      </button>
    </form>
  );
}

const NOBODY = 'No agent is installed here. glassbox doctor says how to get one.';
