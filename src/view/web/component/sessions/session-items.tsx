/** The sessions of the list, in their groups; several can be chosen to do something with all of them. */
import { useStore } from '@nanostores/preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { LabelRequest, Presence, SessionRecord } from '../../../../client/index.js';
import { counted } from '../../../../word/index.js';
import { groupOf } from '../../state/filter.js';
import { client, messageOf } from '../../state/server.js';
import { $worktrees, forgetSessions, takeSession } from '../../state/sessions.js';
import { projectName } from '../../text/format.js';
import { visible } from '../../text/visible.js';
import { $grouping } from './filter-bar.js';
import { SessionEntry } from './session-entry.js';

interface Props {
  sessions: readonly SessionRecord[];
  presences: Readonly<Record<string, Presence>>;
  current: string | undefined;
  now: number;
  isReadOnly: boolean;
  /** Behind the last one. */
  end: ComponentChildren;
}

export function SessionItems({ sessions, presences, current, now, isReadOnly, end }: Props) {
  const grouping = useStore($grouping);
  const worktrees = useStore($worktrees);
  const [chosen, setChosen] = useState<ReadonlySet<string> | undefined>();
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const groups = [...groupBy(sessions, (session) => groupOf(session, grouping, worktrees))];
  groups.sort(([one], [other]) => Number(other === 'Pinned') - Number(one === 'Pinned'));
  return (
    <>
      <div class="sessions-items">
        {groups.map(([name, some]) => (
          <section key={name} aria-label={name === '' ? 'Sessions' : name}>
            {(name !== '' || groups.length > 1) && (
              <h2 class="group-name" title={visible(name)}>
                {name === '' ? 'Others' : visible(grouping === 'project' ? projectName(name) : name)}
              </h2>
            )}
            <ul>
              {some.map((session) => (
                <SessionEntry
                  key={session.id}
                  session={session}
                  presence={presences[session.id]}
                  isCurrent={session.id === current}
                  now={now}
                  chosen={chosen?.has(session.id)}
                  onChoose={toggle}
                />
              ))}
            </ul>
          </section>
        ))}
        {end}
      </div>
      {!isReadOnly && <SeveralBar chosen={chosen} sessions={sessions} onChosen={setChosen} />}
    </>
  );
}

interface BarProps {
  chosen: ReadonlySet<string> | undefined;
  sessions: readonly SessionRecord[];
  onChosen: (chosen: ReadonlySet<string> | undefined) => void;
}

function SeveralBar({ chosen, sessions, onChosen }: BarProps) {
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  if (chosen === undefined) {
    return (
      <button type="button" class="button quiet choose-several" onClick={() => onChosen(new Set())}>
        Choose several
      </button>
    );
  }
  const meant = sessions.filter(({ id }) => chosen.has(id));
  const isPinned = meant.length > 0 && meant.every(({ pinned }) => pinned);
  const isArchived = meant.length > 0 && meant.every(({ archived }) => archived);
  const each = async (act: (session: SessionRecord) => Promise<void>) => {
    setProblem('');
    setAsked(false);
    const done = await Promise.allSettled(meant.map(act));
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) setProblem(messageOf(failed.reason));
    else onChosen(undefined);
  };
  const label = (what: LabelRequest) => void each(async ({ id }) => takeSession(await client.label(id, what)));
  const remove = () =>
    each(async ({ id }) => {
      await client.remove(id);
      forgetSessions([id]);
    });
  return (
    <fieldset class="several" aria-label="With the chosen sessions">
      <span class="grow">
        {isAsked ? `Delete ${counted(meant.length, 'session')} for ever?` : `${meant.length} chosen`}
      </span>
      {isAsked ? (
        <button type="button" class="button danger" onClick={() => void remove()}>
          Delete
        </button>
      ) : (
        <>
          <button
            type="button"
            class="button"
            disabled={meant.length === 0}
            onClick={() => label({ pinned: !isPinned })}
          >
            {isPinned ? 'Unpin' : 'Pin'}
          </button>
          <button
            type="button"
            class="button"
            disabled={meant.length === 0 || meant.some(({ state }) => state !== 'ended')}
            onClick={() => label({ archived: !isArchived })}
          >
            {isArchived ? 'Bring back' : 'Archive'}
          </button>
          <button type="button" class="button danger" disabled={meant.length === 0} onClick={() => setAsked(true)}>
            Delete…
          </button>
        </>
      )}
      <button type="button" class="button quiet" onClick={() => (isAsked ? setAsked(false) : onChosen(undefined))}>
        {isAsked ? 'Keep' : 'Done'}
      </button>
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
