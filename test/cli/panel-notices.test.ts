/** Notices of the panels: what begins to wait or ends while they are open calls a person, in our words; the title says what waits. */
import { describe, expect, test } from 'vitest';
import { createPanelNotices } from '../../src/cli/command/tui/panel-notices.js';
import type { Owner } from '../../src/store/index.js';
import type { Listed } from '../../src/view/panels/index.js';
import { ended, listed, NOON, session, waiting } from '../view/panel-person.js';

const hostile = { title: 'a title \u0007 of an agent' };

function telling() {
  const said: string[] = [];
  const terminal = {
    title: (words: string) => void said.push(`title: ${words}`),
    call: (words: string) => void said.push(`call: ${words}`),
  };
  const notices = createPanelNotices({ terminal });
  return (...all: readonly Listed[]) => {
    said.length = 0;
    notices.see(all);
    return [...said];
  };
}

test('what waited before they were opened is in the title and rings nobody', () => {
  const see = telling();
  expect(see(waiting('login'))).toEqual([expect.stringMatching(/^title: toy waits for you/)]);
  expect(see(waiting('login'))).toEqual([]);
});

test('what begins to wait calls, and the title counts what waits', () => {
  const see = telling();
  expect(see(listed(session('login', hostile)))).toEqual(['title: toy works']);
  const [call, title] = see(waiting('login'));
  expect([call, title]).toEqual([
    expect.stringMatching(/^call: toy waits for you/),
    expect.stringMatching(/^title: toy/),
  ]);
  expect(see(waiting('login'), waiting('other'))).toEqual([
    expect.stringMatching(/^call: /),
    'title: 2 questions wait for you',
  ]);
  expect(see(listed(session('login', hostile)))).toEqual(['title: toy works']);
});

test('what ends calls, but who stopped it knows that; what had ended before is nothing new', () => {
  const see = telling();
  see(listed(session('one', hostile)), listed(session('two', hostile)), ended('old'));
  expect(see(ended('one'), listed(session('two', hostile)), ended('old'))[0]).toMatch(/^call: toy has/);
  const stopped = ended('two');
  const runs = stopped.session.runs.map((run) => ({ ...run, outcome: 'cancelled' as const }));
  expect(see(ended('one'), { ...stopped, session: { ...stopped.session, runs } }, ended('old'))).toEqual([]);
});

test('nobody is told where that is not wanted', () => {
  expect(() => createPanelNotices({}).see([waiting('login')])).not.toThrow();
});

describe('the program', () => {
  const ofOther = { pid: 1, host: 'here', heartbeatAt: NOON, epoch: 1 };

  function told(isToBeTold: (owner: Owner | undefined) => boolean = () => true) {
    const news: object[] = [];
    const notices = createPanelNotices({ notifier: { tell: (one) => void news.push(one) }, isToBeTold });
    return (...all: readonly Listed[]) => {
      news.length = 0;
      notices.see(all);
      return [...news];
    };
  }

  const owned = (one: Listed): Listed => ({
    ...one,
    session: { ...one.session, runs: one.session.runs.map((run) => ({ ...run, owner: ofOther })) },
  });

  test('is told of each that begins to wait or ends, without a word of an agent', () => {
    const see = told();
    expect(see(listed(session('one', hostile)), listed(session('two', hostile)))).toEqual([]);
    const facts = { state: 'waiting', for: 'tool', agent: 'toy' };
    const asked = [
      waiting('one', { summary: 'agent says', toolKind: 'execute' }),
      waiting('two', { toolKind: 'edit' }),
    ];
    expect(see(...asked)).toEqual([
      { ...facts, tool: 'execute', run: 'run-one', session: 'one' },
      { ...facts, tool: 'edit', run: 'run-two', session: 'two' },
    ]);
    expect(see(...asked)).toEqual([]);
    const over = { state: 'ended', agent: 'toy', run: 'run-one', session: 'one' };
    expect(see(ended('one'), waiting('two'))).toEqual([expect.objectContaining(over)]);
  });

  test('hears nothing twice: who runs an agent elsewhere tells it by itself, also that it ended', () => {
    const see = told((owner) => owner === undefined);
    see(owned(listed(session('one'))), listed(session('two')));
    expect(see(owned(waiting('one')), waiting('two'))).toEqual([expect.objectContaining({ session: 'two' })]);
    expect(see(ended('one'), waiting('two'))).toEqual([]);
  });
});
