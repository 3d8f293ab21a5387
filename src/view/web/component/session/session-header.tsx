/** What is known about the session at a glance, and what can be done with the whole of it. */
import { useStore } from '@nanostores/preact';
import { ChartGantt, FileDiff, MessagesSquare } from 'lucide-preact';
import type { Presence, SessionRecord } from '../../../../client/index.js';
import { lineFor } from '../../../../consent/index.js';
import { costOf, isTelling, usageOf } from '../../../../ledger/index.js';
import { type ShownState, shownState } from '../../../../presence/index.js';
import {
  activityText,
  type SessionState,
  selectCost,
  selectCurrentActivity,
  selectHealth,
  selectPendingApproval,
  selectRun,
  selectUsage,
} from '../../../../session/index.js';
import { duration, tokens } from '../../../../word/index.js';
import type { OpenSession } from '../../state/open-session.js';
import { originText } from '../../state/origin.js';
import { type SessionPart, sessionPath } from '../../state/route.js';
import { $connection, $health, $worktrees } from '../../state/sessions.js';
import { useNow } from '../../state/use-now.js';
import { money } from '../../text/format.js';
import { limitsText, ownLimitsText } from '../../text/limits.js';
import { permissionText } from '../../text/permission.js';
import { visible } from '../../text/visible.js';
import { BackLink } from '../part/back-link.js';
import { StateMark } from '../part/state-mark.js';
import { ExportMenu } from './export-menu.js';
import { SessionMenu } from './session-menu.js';
import { WhyState } from './why-state.js';

const PARTS = [
  { part: 'conversation', name: 'Conversation', Icon: MessagesSquare },
  { part: 'changes', name: 'Changes', Icon: FileDiff },
  { part: 'timeline', name: 'Timeline', Icon: ChartGantt },
] as const;

interface Props {
  record: SessionRecord;
  presence: Presence | undefined;
  open: OpenSession;
  view: SessionPart;
}

export function SessionHeader({ record, presence, open: { state, phase }, view }: Props) {
  const isReadOnly = useStore($health)?.readOnly ?? false;
  const worktrees = useStore($worktrees);
  // What nobody hears of is told as it was heard last.
  const isLost = useStore($connection) === 'lost' && record.state !== 'ended';
  const now = useNow(1000, record.state !== 'ended' && !isLost);
  const shown = liveState(record, state, presence);
  const { total, context } = selectUsage(state);
  // Sums are right when everything is there.
  const isWhole = phase === 'ready';
  const cost = money((isWhole ? selectCost(state).session : undefined) ?? record.spent);
  const run = selectRun(state);
  const model = run?.facts.model ?? record.model;
  const usage = (isWhole ? total : undefined) ?? record.usage;
  const latest = record.runs.at(-1);
  const spent = {
    cost: (isWhole && run ? costOf(run.ledger) : undefined) ?? latest?.spent,
    usage: (isWhole && run ? usageOf(run.ledger) : undefined) ?? latest?.usage,
  };
  const facts = [
    isLost && 'as last heard',
    record.archived && 'archived',
    latest && latest.state !== 'ended' && ownLimitsText(latest, spent, now),
    originText(record.cwd, worktrees),
    record.agent,
    model,
    permissionText(latest?.terms?.permission, run),
    cost || (isTelling(usage) ? 'cost unknown' : ''),
    isTelling(usage) ? `tokens ${tokens(usage) ?? 'unknown'}` : '',
    limitsText(run?.limits ?? [], now),
    context?.tokens && context.limit ? `context ${Math.round((100 * context.tokens) / context.limit)} %` : '',
  ].filter(Boolean);
  return (
    <header class="session-head">
      <BackLink />
      <div class="session-head-text">
        <h1 class="cut">{visible(record.title) || 'Untitled'}</h1>
        <p class="faint">
          <StateMark shown={shown} withWord />
          <CurrentActivity
            state={state}
            shown={shown.tone}
            awaited={presence?.for?.text}
            title={record.title}
            now={now}
          />
          <span class="session-head-facts">{visible(facts.join(' · '))}</span>
        </p>
      </div>
      <div class="session-actions">
        {PARTS.filter(({ part }) => part !== view).map(({ part, name, Icon }) => (
          <a key={part} class="icon-button" href={sessionPath(record.id, part)} aria-label={name} title={name}>
            <Icon size={18} aria-hidden="true" />
          </a>
        ))}
        <WhyState session={record.id} presence={presence} />
        <ExportMenu session={record.id} />
        {!isReadOnly && <SessionMenu record={record} />}
      </div>
    </header>
  );
}

/** The events of a run of glassbox know more than the list: an approval that was just asked for, or just answered. */
function liveState(record: SessionRecord, state: SessionState, presence: Presence | undefined): ShownState {
  const { state: health } = selectHealth(state);
  const shown = shownState(record, presence);
  if (record.state !== 'ended' && health === 'waiting') return { word: 'waiting', tone: 'waiting' };
  const isOwn = record.runs.at(-1)?.terms !== undefined;
  return isOwn && shown.tone === 'waiting' && health === 'running' ? { word: 'working', tone: 'working' } : shown;
}

interface ActivityProps {
  state: SessionState;
  shown: ShownState['tone'];
  /** What it waits for in its own program, where its events do not tell. */
  awaited: string | undefined;
  title: string | undefined;
  now: number;
}

/** What the title or the mark before it says already is not said again. */
function CurrentActivity({ state, shown, awaited, title, now }: ActivityProps) {
  const activity = selectCurrentActivity(state);
  const { kind, others, since } = activity;
  const asked = kind === 'approval' ? selectPendingApproval(state) : undefined;
  if (shown === 'waiting' && !asked && awaited !== undefined) return <span class="activity">{visible(awaited)}</span>;
  const about = asked ? lineFor(asked.request) : activity.about;
  const isTold = shown === 'working' || shown === 'waiting' ? kind !== 'ended' : shown === 'failed' && kind === 'ended';
  // Why somebody stopped it stands at the end of the conversation.
  if (kind === 'idle' || !isTold) return null;
  const isMarked = kind === 'approval' || kind === 'stall' || kind === 'ended';
  if (isMarked && (about === undefined || (kind === 'ended' && about === title))) return null;
  const isMoving = shown === 'working' && kind !== 'stall' && since !== undefined && now - since > 1000;
  return (
    <span class="activity">
      {visible(activityText(isMarked ? { kind, word: about ?? '', others } : activity))}
      {isMoving ? ` ${duration(Math.floor((now - since) / 1000) * 1000)}` : ''}
    </span>
  );
}
