/** What the real Claude Code does in a terminal is seen from outside, at each of its turns; the whole of it is `npm run state-score`. */
import { expect, test } from 'vitest';
import type { State } from '../../src/presence/index.js';
import { claude } from './agent/claude.js';
import { observe } from './state/observed.js';
import { say } from './state/plays.js';

test('working, waiting, idle, parked, ended', async () => {
  const call = claude.shell('touch made.txt');
  await observe(claude, {
    name: 'terminal',
    script:
      (hold) =>
      ({ n }) =>
        n === 0 ? { ...call, text: 'One moment please', hold } : { text: 'All done.' },
    async perform(observed, letGo) {
      const shows = (state: State) => observed.until(state, () => observed.seen()?.presence.state === state);
      await using terminal = observed.open('--permission-mode', 'default');
      await say(observed, terminal);
      await shows('working');
      letGo();
      await shows('waiting');
      expect(observed.seen()?.presence.for).toEqual({ kind: 'approval', text: 'permission prompt' });
      terminal.type('\r');
      await shows('idle');
      observed.signal('SIGSTOP');
      await shows('parked');
      observed.signal('SIGCONT');
      await shows('idle');
      observed.signal('SIGKILL');
      await shows('ended');
    },
  });
});
