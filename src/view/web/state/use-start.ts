/** Everything that is chosen before an agent is started, what of it can be chosen, and the start itself. */
import { useStore } from '@nanostores/preact';
import { useEffect, useState } from 'preact/hooks';
import type { JobRecord, StartChoices } from '../../../client/index.js';
import { type Limits, limitsFor, NO_LIMITS } from '../component/start/limits.js';
import { permissionFor } from '../component/start/permission-choice.js';
import { anyWorker, type Elsewhere, workersFor } from '../component/start/place-choice.js';
import type { Permission } from '../text/permission.js';
import { useDraft } from './draft.js';
import { go, sessionPath } from './route.js';
import { client, messageOf } from './server.js';
import { $agents, $health } from './sessions.js';
import { useAnswer } from './use-answer.js';
import { useAttachments } from './use-attachments.js';

const NOTHING = { models: [], listed: false, commands: [], worktree: false };

export function useStart() {
  const health = useStore($health);
  const all = useStore($agents);
  const [prompt, setPrompt] = useDraft('new');
  // What was chosen last is chosen again; what is dangerous is not.
  const [name, setAgent] = useDraft('agent');
  const [cwd, setCwd] = useDraft('folder');
  const [chosen, setPermission] = useState<Permission>('ask');
  const [model, setModel] = useState('');
  const [chosenEffort, setEffort] = useState('');
  const [limits, setLimits] = useState<Limits>(NO_LIMITS);
  const [chosenPlace, setPlace] = useState<Elsewhere>();
  const [job, setJob] = useState<JobRecord>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  const workers = useAnswer(() => client.workers().catch(() => []), []);
  const known = workers.phase === 'ready' ? workers.value : [];
  const place = chosenPlace ?? (health?.projects.length === 0 ? anyWorker(known) : undefined);
  const able = new Set(workersFor(known, place).flatMap(({ agents }) => agents));
  const agents = place ? all.map((one) => ({ ...one, installed: able.has(one.name) })) : all;
  const agent = agents.find((one) => one.name === name && one.installed) ?? agents.find(({ installed }) => installed);
  const folder = cwd || health?.projects[0] || '';
  const typed = useSettled(folder);
  const permission = permissionFor(agent, chosen);
  const asked = useAnswer(
    () => (agent && (typed || place) ? choicesFor(agent.name, place ? undefined : typed) : NONE),
    [agent?.name, typed, place === undefined],
    { keepsLast: true },
  );
  const choices = asked.phase === 'ready' ? asked.value : NOTHING;
  // What was chosen for one agent may mean nothing to another.
  const effort = agent?.efforts.includes(chosenEffort) ? chosenEffort : '';
  const attachments = useAttachments(place ? [] : agent?.attachments);
  const hasModel = agent !== undefined && agent.capabilities.model !== false;
  const within = limitsFor(agent, limits, choices.worktree);

  const start = async () => {
    if (!agent || prompt.trim() === '' || isBusy || attachments.isBusy) return;
    setBusy(true);
    setProblem('');
    const { worktree, ...limited } = within;
    const chosenOnes = { ...(hasModel && model && { model }), ...(effort && { effort }) };
    const wanted = { agent: agent.name, prompt, permission, ...limited, ...chosenOnes };
    try {
      if (place) {
        const { worker, project, labels } = place;
        setJob(
          await client.postJob({ ...wanted, project, ...(worker && { host: worker }), ...(!worker && { labels }) }),
        );
        setBusy(false);
      } else {
        const { session } = await client.start({
          ...wanted,
          ...attachments.ids(),
          cwd: folder,
          ...(worktree && { worktree }),
        });
        go(sessionPath(session));
      }
      setPrompt('');
      attachments.clear();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  return {
    ...{ health, agents, agent, setAgent, prompt, setPrompt, folder, setCwd, permission, setPermission },
    ...{
      model,
      setModel,
      hasModel,
      effort,
      setEffort,
      limits,
      setLimits,
      within,
      workers: known,
      place,
      setPlace,
      choices,
    },
    ...{ attachments, job, setJob, isBusy, problem, start },
  };
}

const NONE = Promise.resolve(NOTHING);

/** On another machine nothing is known but what the agent says of itself. */
async function choicesFor(agent: string, cwd: string | undefined): Promise<StartChoices> {
  const known = await client.startChoices({ agent, cwd });
  return cwd === undefined ? { ...known, commands: [], worktree: false } : known;
}

const TYPING_MS = 200;

/** What it is once nobody types any more. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settled === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
