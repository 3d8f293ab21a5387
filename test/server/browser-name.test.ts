/** What people call their browsers, so that one can be told from another in a list. */
import { expect, test } from 'vitest';
import { browserName } from '../../src/server/browser-name.js';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/147.0 Safari/537 Edg/147.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/147.0 Safari/537 OPR/120', 'Opera on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 Chrome/147.0 Safari/537', 'Chrome on Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605 Version/18 Safari/605', 'Safari on macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/605', 'Safari on iOS'],
  ['curl/8.0', 'Browser'],
])('%s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
