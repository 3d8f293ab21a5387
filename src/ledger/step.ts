/** The model calls of agents that tell no usage by message but a running sum: each time that it grows a call has ended. */
import type { AgentEvent, Usage } from '../event/index.js';
import type { Call } from './call.js';
import type { Cause } from './cause.js';
import { isTelling, subtractUsage } from './usage.js';

export interface Steps {
  see(event: AgentEvent): void;
  /** Something that the next call is made for. */
  ask(cause: Cause): void;
  take(): Call[];
}

export function createSteps(brokenBy: (usage: Usage) => number): Steps {
  let steps: Call[] = [];
  let pending: Cause[] = [];
  /** What the call under way is made for: what came after it began is for the next. */
  let causes: Cause[] | undefined;
  let sum: Usage = {};

  return {
    see(event) {
      if (event.parent !== undefined) return;
      if (event.type === 'turn-start') {
        sum = {};
        pending = [];
      } else if (event.type === 'message-start' || event.type === 'tool-start') {
        causes ??= takePending();
      } else if (event.type === 'usage-update' && event.usage) grow(event.usage);
    },
    ask: (cause) => void pending.push(cause),
    take() {
      const taken = steps;
      steps = [];
      causes = undefined;
      return taken;
    },
  };

  function grow(usage: Usage): void {
    const own = subtractUsage(usage, sum);
    sum = usage;
    if (!isTelling(own)) return;
    steps.push({ usage: own, causes: causes ?? takePending(), broken: brokenBy(own), written: 0 });
    causes = undefined;
  }

  function takePending(): Cause[] {
    const taken: Cause[] = pending.length > 0 ? pending : ['agent'];
    pending = [];
    return taken;
  }
}
