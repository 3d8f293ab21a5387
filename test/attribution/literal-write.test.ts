import { expect, test } from 'vitest';
import { literalWrites } from '../../src/attribution/literal-write.js';

test.each<[command: string, edits: unknown[]]>([
  ["cat > a.txt <<'EOF'\none $HOME\ntwo\nEOF", [{ path: 'a.txt', kind: 'write', after: 'one $HOME\ntwo\n' }]],
  ["cat <<'EOF' >> src/a.ts\nx\nEOF\n", [{ path: 'src/a.ts', kind: 'append', after: 'x\n' }]],
  ['cat > a <<EOF\nplain\nEOF', [{ path: 'a', kind: 'write', after: 'plain\n' }]],
  [
    "mkdir -p src && echo 'some words' > src/a && echo more >> src/a",
    [
      { path: 'src/a', kind: 'write', after: 'some words\n' },
      { path: 'src/a', kind: 'append', after: 'more\n' },
    ],
  ],
  [
    'rm -f a b',
    [
      { path: 'a', kind: 'delete' },
      { path: 'b', kind: 'delete' },
    ],
  ],
  ['mv a.ts b.ts', [{ path: 'a.ts', to: 'b.ts', kind: 'move' }]],
  [
    'mv "a b" c\nrm d',
    [
      { path: 'a b', to: 'c', kind: 'move' },
      { path: 'd', kind: 'delete' },
    ],
  ],
])('%s', (command, edits) => {
  expect(literalWrites(command)).toEqual(edits);
});

test.each([
  'cat > a <<EOF\n$HOME\nEOF',
  "cat > a <<'EOF'\nnever ended",
  "cat > a <<-'EOF'\n\tx\nEOF",
  'echo $HOME > a',
  'echo "`id`" > a',
  'echo -e x > a',
  "echo 'a\\n' > a",
  'echo x > a; make',
  'echo x > a | tee b',
  'echo x > a &',
  'rm *.ts',
  'rm -r -f a',
  'mv a b/',
  'mv a b c',
  'sed -i s/a/b/ f',
  'cd src && echo x > a',
  '',
])('says nothing for certain: %s', (command) => {
  expect(literalWrites(command)).toEqual([]);
});
