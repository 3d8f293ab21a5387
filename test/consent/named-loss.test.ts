/** What a command takes away is told where it says so itself, and nothing is claimed that it only mentions. */
import { expect, test } from 'vitest';
import { namedLoss } from '../../src/consent/named-loss.js';

test.each([
  ['rm -rf build && npm test', ['build']],
  ['npm test; sudo rm -r -- -odd "my dir" 2>/dev/null', ['-odd', '"my dir"']],
  ['if true; then rm a.txt; fi\nrmdir b # rm c', ['a.txt', 'b']],
  ['A=1 rm $TMP/x *.log > out.txt', ['$TMP/x', '*.log']],
  ['echo $(rm a) `rm b` | xargs echo', ['a', 'b']],
  ['/bin/rm a a', ['a']],
  ['rm a\\ b', ['a\\ b']],
])('%s', (command, deleted) => {
  expect(namedLoss(command).deleted).toEqual(deleted);
});

test.each([
  'echo "rm -rf build"',
  "echo 'a; rm b'",
  'npm run rm build',
  'cat <<EOF\nrm -rf build\nEOF',
  'firm a',
  '# rm a',
  'echo > rm a',
  'git rm-something a',
  '',
])('nothing is claimed of %j', (command) => {
  expect(namedLoss(command)).toEqual({ deleted: [], outside: [], dropping: [] });
});

test('what lies outside of the project, by its spelling', () => {
  const outside = (command: string) => namedLoss(command, '/work/shop').outside;
  expect(outside('rm -rf /work/shop/build build ./x /work/shop/')).toEqual([]);
  expect(outside('rm /etc/hosts ~/x "$HOME/y" ../other /work/shopping/a')).toEqual([
    '/etc/hosts',
    '~/x',
    '"$HOME/y"',
    '../other',
    '/work/shopping/a',
  ]);
  // Where that is, nobody knows.
  expect(outside('cd deep && rm ../other')).toEqual([]);
});

test('git’s ways to drop what is in no commit', () => {
  const { dropping } = namedLoss(
    'git reset --hard HEAD~1 && git clean -xfd; git clean -n; git reset --soft x; git clean --force',
  );
  expect(dropping).toEqual(['git reset --hard HEAD~1', 'git clean -xfd', 'git clean --force']);
});
