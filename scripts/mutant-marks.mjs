// @ts-check
/** Loaded with each test file while `npm run mutate` looks which tests come past which place: each test keeps the marks that it passed. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** @type {Set<Set<number>>} of the tests that run now */
const running = new Set();
/** What was passed before, between and after tests counts for all of the file. @type {Set<number>} */
const outside = new Set();
/** What was passed while modules loaded tells nothing, because the next file finds them loaded. @type {number[]} */
const loading = [];
/** @type {Map<string, Set<number>>} */
const passed = new Map();

Object.assign(globalThis, {
  markReached(/** @type {number[]} */ ...marks) {
    const all = running.size > 0 ? running : [outside];
    for (const some of all) for (const mark of marks) some.add(mark);
  },
});

/** @type {{ meta: object } | undefined} */
let file;

beforeAll(() => {
  loading.push(...outside);
  outside.clear();
});

beforeEach(({ task }) => {
  const marks = new Set();
  passed.set(task.id, marks);
  running.add(marks);
  file = task.file;
});

afterEach(({ task }) => {
  const marks = passed.get(task.id) ?? new Set();
  running.delete(marks);
  Object.assign(task.meta, { marks: [...marks] });
});

afterAll(() => {
  if (file) Object.assign(file.meta, { marks: [...outside], loading });
});
