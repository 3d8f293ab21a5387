/** Says that the server is out of reach; what was loaded stays readable, and what was written stays written. */
import { useStore } from '@nanostores/preact';
import { ShieldAlert, WifiOff } from 'lucide-preact';
import { $isForeign } from '../../state/server.js';
import type { Connection } from '../../state/sessions.js';

export function ConnectionBar({ connection }: { connection: Connection }) {
  const isForeign = useStore($isForeign);
  return (
    <div class="connection" role="status" hidden={connection !== 'lost'}>
      {connection === 'lost' && !isForeign && (
        <>
          <WifiOff size={16} aria-hidden="true" />
          Connection lost. Trying again; what you see and what you wrote stays.
        </>
      )}
      {connection === 'lost' && isForeign && (
        <>
          <ShieldAlert size={16} aria-hidden="true" />
          Something else answers at this address, not your glassbox. Nothing was sent to it.
        </>
      )}
    </div>
  );
}
