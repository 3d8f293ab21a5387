/** Calls a person who looks elsewhere: the tab's title, its icon and, where it is permitted, a notification of the system. */
import { atom } from 'nanostores';
import type { ApprovalRecord } from '../../../client/index.js';
import { lineFor } from '../../../consent/index.js';
import { oneLine, shorten } from '../../../word/index.js';
import waitingIcon from '../icon-waiting.svg?url';
import { visible } from '../text/visible.js';
import { type Card, isCalling } from './card.js';
import { go, sessionPath } from './route.js';

const TITLE = 'glassbox';
const LATER_MS = 1000;
const LONGEST_BODY = 200;
const announced = new Set<string>();

/** Absent while it is not known, or where there are none. */
export const $notifying = atom<NotificationPermission | undefined>();

/** Not at once: the browser asks another process and lets the page wait for it. */
export function watchNotifying(): void {
  if (typeof Notification !== 'undefined') setTimeout(() => $notifying.set(Notification.permission), LATER_MS);
}

export async function askToNotify(): Promise<void> {
  $notifying.set(await Notification.requestPermission());
}

/** The tab's title and its icon. */
export function showWaiting(count: number): void {
  document.title = count === 0 ? TITLE : `(${count}) ${TITLE}`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  ownIcon ??= icon.href;
  icon.href = count === 0 ? ownIcon : waitingIcon;
}

let ownIcon: string | undefined;

/** `approvals` may be only those that changed; each is announced once. */
export function callFor(approvals: readonly ApprovalRecord[]): void {
  for (const { runId, session, request } of approvals) {
    announce(`${runId} ${request.id}`, session, 'Waiting for you', lineFor(request));
  }
}

const RUN_WORDS = { elsewhere: 'Waits in its own program', stuck: 'Goes nowhere', parked: 'Is parked' };

/** Runs that need somebody and ask nothing; each is announced once, and again when it comes to the same later. */
export function callForRuns(cards: readonly Card[]): void {
  for (const card of cards) {
    if (card.kind === 'ask' || !isCalling(card)) continue;
    const { id, title, agent } = card.session;
    announce(`${card.key} ${card.since}`, id, RUN_WORDS[card.kind], oneLine(title ?? agent));
  }
}

function announce(key: string, session: string, title: string, body: string): void {
  if (announced.has(key)) return;
  announced.add(key);
  if ($notifying.get() !== 'granted' || !document.hidden) return;
  const notification = new Notification(title, { body: shorten(visible(body), LONGEST_BODY), tag: key });
  notification.onclick = () => {
    window.focus();
    go(sessionPath(session));
  };
}
