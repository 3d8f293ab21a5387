/** What is known about the session at a glance, and what can be done with the whole of it. */
import { ChartGantt, Download, MessagesSquare } from 'lucide-preact';
import type { SessionRecord } from '../../../client/index.js';
import {
  type SessionState,
  selectCost,
  selectCurrentActivity,
  selectHealth,
  selectRun,
  selectUsage,
} from '../../../session/index.js';
import type { OpenSession } from '../state/open-session.js';
import { sessionPath } from '../state/route.js';
import { client } from '../state/server.js';
import { useNow } from '../state/use-now.js';
import { compact, duration, money, projectName } from '../text/format.js';
import { visible } from '../text/visible.js';
import { BackLink } from './back-link.js';
import { type Mood, moodOf, StateMark } from './state-mark.js';

interface Props {
  record: SessionRecord;
  open: OpenSession;
  view: 'conversation' | 'timeline';
}

export function SessionHeader({ record, open: { state, phase }, view }: Props) {
  const now = useNow(1000, record.state !== 'ended');
  const mood = liveMood(record, state, now);
  const { main, context } = selectUsage(state);
  // Sums are right when everything is there.
  const isWhole = phase === 'ready';
  const cost = money((isWhole ? selectCost(state).session : undefined) ?? record.spent);
  const model = selectRun(state)?.facts.model ?? record.model;
  const tokens = main && (main.inputTokens ?? 0) + (main.cacheReadTokens ?? 0) + (main.outputTokens ?? 0);
  const facts = [
    record.cwd && projectName(record.cwd),
    record.agent,
    model,
    cost,
    isWhole && tokens ? `${compact(tokens)} tokens` : '',
    context?.tokens && context.limit ? `context ${Math.round((100 * context.tokens) / context.limit)} %` : '',
  ].filter(Boolean);
  return (
    <header class="session-head">
      <BackLink />
      <div class="session-head-text">
        <h1 class="cut">{visible(record.title) || 'Untitled'}</h1>
        <p class="cut faint">
          <StateMark mood={mood} withWord />
          {activityText(state, mood, now)}
          <span class="session-head-facts">{visible(facts.join(' · '))}</span>
        </p>
      </div>
      <div class="session-actions">
        <a
          class="icon-button"
          href={sessionPath(record.id, view === 'timeline' ? 'conversation' : 'timeline')}
          aria-label={view === 'timeline' ? 'Conversation' : 'Timeline'}
          title={view === 'timeline' ? 'Conversation' : 'Timeline'}
        >
          {view === 'timeline' ? (
            <MessagesSquare size={18} aria-hidden="true" />
          ) : (
            <ChartGantt size={18} aria-hidden="true" />
          )}
        </a>
        <details
          class="menu"
          onFocusOut={(event) => {
            const { currentTarget: menu, relatedTarget } = event;
            if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !event.currentTarget.open) return;
            event.preventDefault();
            event.currentTarget.open = false;
          }}
        >
          <summary class="icon-button" aria-label="Export" title="Export">
            <Download size={18} aria-hidden="true" />
          </summary>
          <div class="menu-items">
            <a href={client.exportUrl(record.id, 'html')} download>
              As a web page (HTML)
            </a>
            <a href={client.exportUrl(record.id, 'markdown')} download>
              As Markdown
            </a>
          </div>
        </details>
      </div>
    </header>
  );
}

/** The events know more than the list: a stall, an approval that was just answered. */
function liveMood(record: SessionRecord, state: SessionState, now: number): Mood {
  const { state: health } = selectHealth(state);
  if (record.state !== 'ended' && (health === 'waiting' || health === 'stalled')) return health;
  const mood = moodOf(record, now);
  return mood === 'waiting' && health === 'running' ? 'running' : mood;
}

function activityText(state: SessionState, mood: Mood, now: number) {
  const { kind, text, since } = selectCurrentActivity(state);
  const isGoing = mood === 'running' || mood === 'waiting' || mood === 'stalled';
  if (kind === 'idle' || mood === 'done' || isGoing === (kind === 'ended')) return null;
  const isMoving = mood === 'running' && since !== undefined && now - since > 1000;
  const shown =
    kind === 'approval' ? text.replace(/^Waiting for you(?: \((.*)\))?/, '$1') : text.replace(/^(Done|Failed): /, '');
  if (shown === '') return null;
  return (
    <span class="activity">
      {visible(shown)}
      {isMoving ? ` ${duration(Math.floor((now - since) / 1000) * 1000)}` : ''}
    </span>
  );
}
