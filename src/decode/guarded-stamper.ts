/** Guards and stamps what comes from no stream: the half of a pipeline behind the protocol. */
import type { AgentEvent, Draft } from '../event/index.js';
import { createGuard } from '../guard/index.js';
import { createStamper, type StampOptions } from './stamp.js';

/** `agent`: its name, for every event. */
export function createGuardedStamper(agent: string, options: StampOptions): (draft: Draft) => AgentEvent[] {
  const stamper = createStamper(agent, options);
  const guard = createGuard();
  return (draft) => {
    stamper.setTime();
    const passed = guard.pass(draft);
    for (const one of passed) stamper.stamp(one);
    return passed as AgentEvent[];
  };
}
