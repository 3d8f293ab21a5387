/** Says that the server is out of reach; what was loaded stays readable. */
import { WifiOff } from 'lucide-preact';
import type { Connection } from '../state/sessions.js';

export function ConnectionBar({ connection }: { connection: Connection }) {
  return (
    <div class="connection" role="status" hidden={connection !== 'lost'}>
      {connection === 'lost' && (
        <>
          <WifiOff size={16} aria-hidden="true" />
          Connection lost. Trying again; nothing will be missed.
        </>
      )}
    </div>
  );
}
