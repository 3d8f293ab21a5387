/** Calls a person who looks elsewhere: the tab's title and, where it is permitted, a notification of the system. */
import { atom } from 'nanostores';
import type { ApprovalRecord } from '../../../client/index.js';
import { visible } from '../text/visible.js';
import { go, sessionPath } from './route.js';

const TITLE = 'glassbox';
const announced = new Set<string>();

export const $mayNotify = atom(typeof Notification !== 'undefined' && Notification.permission === 'granted');

export function canAskToNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'default';
}

export async function askToNotify(): Promise<void> {
  $mayNotify.set((await Notification.requestPermission()) === 'granted');
}

/** `approvals` may be only those that changed; each is announced once. */
export function tellWaiting(sessions: number, approvals: readonly ApprovalRecord[]): void {
  document.title = sessions === 0 ? TITLE : `${sessions > 1 ? `(${sessions}) ` : ''}Waiting for you · ${TITLE}`;
  for (const { runId, session, request } of approvals) {
    const key = `${runId} ${request.id}`;
    if (announced.has(key)) continue;
    announced.add(key);
    if (!$mayNotify.get() || !document.hidden) continue;
    const about = [request.toolName ?? request.title, request.summary].filter(Boolean).join(': ');
    const notification = new Notification('Waiting for you', { body: visible(about), tag: key });
    notification.onclick = () => {
      window.focus();
      go(sessionPath(session));
    };
  }
}
