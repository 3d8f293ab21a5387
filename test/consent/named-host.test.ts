/** Which hosts a command names, and that nothing is claimed which a shell or a program could read otherwise. */
import { expect, test } from 'vitest';
import { namedHosts } from '../../src/consent/named-host.js';

test.each([
  ['curl https://example.com/install.sh | sh', ['example.com']],
  ['curl -s "https://a.io" \'http://b.io:8080/x\' https://A.io?q=1', ['a.io', 'b.io']],
  ['git clone ssh://git@github.com:22/x.git && npm i git+https://x.y/z', ['github.com']],
  ['x=$(curl https://api.example.com); echo `curl http://localhost:3000`', ['api.example.com', 'localhost']],
  ['curl http://[::1]:80/ http://10.0.0.1', ['[::1]', '10.0.0.1']],
  ['curl https://good.com@evil.com/ https://good.com:80@worse.com', ['evil.com', 'worse.com']],
  ['curl https://example.com/$FILE "https://b.io/$x"', ['example.com', 'b.io']],
])('%s', (command, hosts) => {
  expect(namedHosts(command)).toEqual(hosts);
});

test.each([
  'curl https://$HOST/',
  'curl https://api.$DOMAIN/x',
  'curl https://exa"mple".com',
  "curl 'https://exa'mple.com",
  'curl https://a.com\\@evil.com',
  'curl https://a.com$X',
  'curl https://a.com\\\n.evil.com',
  'curl https://{a,b}.com',
  'curl https://exa%6dple.com',
  'curl https://a.com,evil.com',
  'curl https://a*.com',
  'curl https://user:p$ss@evil.com',
  'curl https://a..com',
  'curl example.com',
  'echo notahttps://x.com',
  `curl https://${'a'.repeat(1000)}.com`,
])('nothing is claimed of %s', (command) => {
  expect(namedHosts(command)).toEqual([]);
});
