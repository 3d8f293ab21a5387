/** Calls a person who looks elsewhere: the tab's title, its icon and, where it is permitted, a notification of the system. */
import { atom } from 'nanostores';
import type { ApprovalRecord } from '../../../client/index.js';
import { lineFor } from '../../../consent/index.js';
import waitingIcon from '../icon-waiting.svg?url';
import { visible } from '../text/visible.js';
import { go, sessionPath } from './route.js';

const TITLE = 'glassbox';
const LATER_MS = 1000;
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
    const key = `${runId} ${request.id}`;
    if (announced.has(key)) continue;
    announced.add(key);
    if ($notifying.get() !== 'granted' || !document.hidden) continue;
    const notification = new Notification('Waiting for you', { body: visible(lineFor(request)), tag: key });
    notification.onclick = () => {
      window.focus();
      go(sessionPath(session));
    };
  }
}
