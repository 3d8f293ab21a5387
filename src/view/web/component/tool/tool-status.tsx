/** How a tool call is going or went, and how long it took. */
import { useStore } from '@nanostores/preact';
import { Ban, Check, CircleHelp, Hand, X } from 'lucide-preact';
import type { Tool } from '../../../../session/index.js';
import { duration } from '../../../../word/index.js';
import { $isLive } from '../../state/open-session.js';
import { useNow } from '../../state/use-now.js';

const WORDS: Record<Tool['status'], string> = {
  preparing: 'Preparing',
  waiting: 'Waiting for you',
  running: 'Running',
  ok: 'Succeeded',
  failed: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  unknown: 'Ended unseen',
};

const ICONS = { ok: Check, failed: X, denied: Ban, cancelled: Ban, unknown: CircleHelp, waiting: Hand };

export function ToolStatus({ tool }: { tool: Tool }) {
  const isLive = useStore($isLive);
  const { exitCode } = tool;
  const isOpen = tool.status === 'running' || tool.status === 'preparing' || tool.status === 'waiting';
  const status = isOpen && !isLive ? 'unknown' : tool.status;
  const isGoing = status === 'running' || status === 'preparing';
  const now = useNow(1000, isGoing);
  const ms = isGoing && tool.startedAt !== undefined ? Math.max(0, now - tool.startedAt) : tool.durationMs;
  const Icon = isGoing ? undefined : ICONS[status as keyof typeof ICONS];
  return (
    <span class={`tool-status status-${status}`}>
      {exitCode !== undefined && exitCode !== 0 && <span>exit {exitCode}</span>}
      {status === 'denied' && <span>denied</span>}
      {ms !== undefined && ms >= 100 && <span>{duration(isGoing ? Math.floor(ms / 1000) * 1000 : ms)}</span>}
      {Icon ? <Icon size={14} aria-hidden="true" /> : <span class="spinner small" aria-hidden="true" />}
      <span class="sr-only">{WORDS[status]}</span>
    </span>
  );
}
