import { describe, expect, test } from 'vitest';
import recording from '../../src/cli/command/demo/demo-recording.json' with { type: 'json' };
import { glassbox, start, temporaryFile } from './glassbox.js';

describe('glassbox demo', () => {
  test('shows its recording through a real process, and ends with 0 without a terminal', async () => {
    const file = temporaryFile('demo.jsonl', recording.lines.join('\n'));
    const [demo, shown] = await Promise.all([glassbox(['demo', '--speed=500']), glassbox(['show', file])]);
    expect(demo.status).toBe(0);
    expect(demo.stdout).toBe(shown.stdout);
    expect(demo.stdout).toMatch(/^\[claude\] Complete \(cost: \$0\.\d{4}\)$/m);
    expect(demo.stderr).toContain('No account, no network');
  });

  test('its recording has a time for every line, and no path of the machine it was made on', () => {
    expect(recording.lineMs).toHaveLength(recording.lines.length);
    expect(recording.lines.join('\n')).not.toMatch(/\/(work|root|Users)\//);
  });

  test('Ctrl-C ends the agent too: status 130', async () => {
    const { child, printed, ended } = start(['demo']);
    await printed('Bash: npm test');
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(status).toBe(130);
    expect(stdout.match(/^\[claude\] (Complete|Failed|Interrupted).*/gm)).toEqual([
      expect.stringMatching(/^\[claude\] Interrupted: ended by the user\b/),
    ]);
  });

  test('when nobody reads any more the agent is ended, quietly', async () => {
    const { child, printed, ended } = start(['demo']);
    await printed('Bash: npm test');
    child.stdout.destroy();
    const { status, stderr } = await ended;
    expect(status).toBe(0);
    expect(stderr).toMatch(/^glassbox: [^\n]*No account, no network\.\n$/);
  });
});
