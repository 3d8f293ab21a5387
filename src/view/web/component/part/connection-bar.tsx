/** Says that the server is out of reach, what that means for its agents and, when it is back, what became of them. */
import { useStore } from '@nanostores/preact';
import { ShieldAlert, Wifi, WifiOff, X } from 'lucide-preact';
import { $outage, outageText } from '../../state/outage.js';
import { $isForeign } from '../../state/server.js';
import type { Connection } from '../../state/sessions.js';
import { useNow } from '../../state/use-now.js';

export function ConnectionBar({ connection }: { connection: Connection }) {
  const isForeign = useStore($isForeign);
  const outage = useStore($outage);
  const isLost = connection === 'lost';
  const now = useNow(1000, isLost);
  const isBack = !isLost && outage?.to !== undefined;
  return (
    <div class="connection" role="status" hidden={!isLost && !isBack} data-back={isBack ? '' : undefined}>
      {isLost && isForeign && (
        <>
          <ShieldAlert size={16} aria-hidden="true" />
          Something else answers at this address, not your glassbox. Nothing was sent to it.
        </>
      )}
      {isLost && !isForeign && (
        <>
          <WifiOff size={16} aria-hidden="true" />
          <span>{outage ? outageText(outage, now) : 'The server does not answer. Trying again.'}</span>
        </>
      )}
      {isBack && (
        <>
          <Wifi size={16} aria-hidden="true" />
          <span>{outageText(outage, now)}</span>
          <button type="button" class="icon-button" aria-label="Close" onClick={() => $outage.set(undefined)}>
            <X size={16} aria-hidden="true" />
          </button>
        </>
      )}
    </div>
  );
}
