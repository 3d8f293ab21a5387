import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkSettings } from '../../src/run/request/setting.js';

const page = readFileSync('docs/configuration.md', 'utf8');

it('decision 17 the example of the documentation is a configuration', () => {
  const example = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
  const problems: string[] = [];
  expect(Object.keys(checkSettings(JSON.parse(example), '', problems) ?? {}).length).toBeGreaterThan(4);
  expect(problems).toEqual([]);
});

it('decision 17 every setting is documented', () => {
  const problems: string[] = [];
  checkSettings({ nonsense: 1 }, '', problems);
  const names = /there are (.*)$/.exec(problems[0] ?? '')?.[1]?.split(', ') ?? [];
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
