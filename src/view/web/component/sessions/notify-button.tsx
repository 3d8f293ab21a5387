/** Offers notifications of the system; gone once that was decided. */
import { useStore } from '@nanostores/preact';
import { Bell } from 'lucide-preact';
import { $notifying, askToNotify } from '../../state/attention.js';

export function NotifyButton() {
  if (useStore($notifying) !== 'default') return null;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label="Notify me when an agent waits for me"
      title="Notify me when an agent waits for me"
      onClick={() => void askToNotify()}
    >
      <Bell size={18} aria-hidden="true" />
    </button>
  );
}
