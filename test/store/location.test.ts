import { expect, test } from 'vitest';
import { storeLocation } from '../../src/store/location.js';

const unix = { home: '/home/ann', env: {} };
const windows = { platform: 'win32', home: 'C:\\Users\\ann', env: {} } as const;

test.each([
  ['linux', { ...unix, platform: 'linux' }, '/home/ann/.local/share/glassbox/store.db'],
  ['linux with XDG', { ...unix, platform: 'linux', env: { XDG_DATA_HOME: '/data' } }, '/data/glassbox/store.db'],
  [
    'a relative XDG path is invalid',
    { ...unix, platform: 'linux', env: { XDG_DATA_HOME: 'data' } },
    '/home/ann/.local/share/glassbox/store.db',
  ],
  ['freebsd', { ...unix, platform: 'freebsd' }, '/home/ann/.local/share/glassbox/store.db'],
  ['macOS', { ...unix, platform: 'darwin' }, '/home/ann/Library/Application Support/glassbox/store.db'],
  ['Windows', windows, 'C:\\Users\\ann\\AppData\\Local\\glassbox\\store.db'],
  ['Windows elsewhere', { ...windows, env: { LOCALAPPDATA: 'D:\\Data' } }, 'D:\\Data\\glassbox\\store.db'],
  ['chosen', { ...unix, platform: 'linux', env: { GLASSBOX_STORE: '/tmp/my.db' } }, '/tmp/my.db'],
  ['chosen in the home', { ...unix, platform: 'darwin', env: { GLASSBOX_STORE: '~/my.db' } }, '/home/ann/my.db'],
  [
    'chosen as nothing',
    { ...unix, platform: 'linux', env: { GLASSBOX_STORE: '' } },
    '/home/ann/.local/share/glassbox/store.db',
  ],
] as const)('%s', (_, surroundings, expected) => {
  expect(storeLocation(surroundings)).toBe(expected);
});
