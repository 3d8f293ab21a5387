/**
 * Made-up secrets, at least one per rule and per way of writing it.
 *
 * They are put together from pieces, so that no scanner takes this file for a leak.
 */
export interface Sample {
  /** Name in the replacement. */
  rule: string;
  /** A text that holds it. */
  text: string;
  /** What must not be seen. */
  secret: string;
}

const LETTERS = 'aB3dE6gH9jKmN2pQ5sT8vWxY1zC4fG7hJ0kLrMnPuRtS';
const text = (length: number) => LETTERS.repeat(4).slice(0, length);
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(12).slice(0, length);
const lower = (length: number) => text(length).toLowerCase();
const upper = (length: number) =>
  text(length * 2)
    .toUpperCase()
    .slice(0, length);

const TOKENS: [rule: string, secret: string][] = [
  ['anthropic-key', `sk-ant-${'api03'}-${text(86)}_-${text(6)}AA`],
  ['anthropic-key', `sk-ant-${'oat01'}-${text(60)}`],
  ['openai-key', `sk-proj-${text(40)}_${text(40)}-${text(20)}`],
  ['openrouter-key', `sk-or-v1-${hex(64)}`],
  ['api-key', `sk-${text(48)}`],
  ['google-key', `AI${'za'}${text(30)}-_${text(3)}`],
  ['google-oauth', `ya29.${text(60)}`],
  ['google-oauth', `GOCSPX-${text(28)}`],
  ['aws-access-key', `AK${'IA'}${upper(16)}`],
  ['aws-bedrock-key', `ABSK${text(60)}/+${text(40)}==`],
  ['github-token', `gh${'p_'}${text(36)}`],
  ['github-token', `gh${'s_'}${text(36)}`],
  ['github-token', `github_${'pat_'}${text(22)}_${text(59)}`],
  ['gitlab-token', `gl${'pat-'}${text(20)}`],
  ['gitlab-token', `gl${'pat-'}${text(27)}.${hex(9)}`],
  ['gitlab-token', `GR13${'48941'}${text(20)}`],
  ['slack-token', `xo${'xb-'}123456789012-123456789012-${text(24)}`],
  ['slack-token', `xa${'pp-'}1-A0123456789-1234567890123-${hex(64)}`],
  ['stripe-key', `sk_${'live_'}${text(24)}`],
  ['stripe-key', `wh${'sec_'}${text(32)}`],
  ['npm-token', `np${'m_'}${text(36)}`],
  ['pypi-token', `py${'pi-'}AgEIcHlwaS5vcmc${text(70)}`],
  ['rubygems-key', `ruby${'gems_'}${hex(48)}`],
  ['huggingface-token', `h${'f_'}${text(34)}`],
  ['groq-key', `gs${'k_'}${text(52)}`],
  ['xai-key', `xa${'i-'}${text(80)}`],
  ['perplexity-key', `pp${'lx-'}${text(48)}`],
  ['replicate-token', `r${'8_'}${text(37)}`],
  ['sendgrid-key', `S${'G.'}${text(22)}.${text(43)}`],
  ['twilio-key', `S${'K'}${hex(32)}`],
  ['docker-token', `dckr_${'pat_'}${text(27)}`],
  ['digitalocean-token', `do${'p_v1_'}${hex(64)}`],
  ['databricks-token', `da${'pi'}${hex(32)}`],
  ['vault-token', `hv${'s.'}${text(95)}`],
  ['doppler-token', `dp.${'pt.'}${text(43)}`],
  ['pulumi-token', `pu${'l-'}${hex(40)}`],
  ['heroku-key', `HRKU-${'AA'}${text(58)}`],
  ['supabase-key', `sb${'p_'}${hex(40)}`],
  ['planetscale-token', `pscale_${'tkn_'}${text(43)}`],
  ['tailscale-key', `tskey-${'auth-'}${text(17)}-${text(32)}`],
  ['grafana-token', `gl${'sa_'}${text(32)}_${hex(8)}`],
  ['sentry-token', `sntry${'u_'}${hex(64)}`],
  ['newrelic-key', `NR${'AK-'}${upper(27)}`],
  ['linear-key', `lin_${'api_'}${text(40)}`],
  ['notion-token', `nt${'n_'}${text(46)}`],
  ['figma-token', `fig${'d_'}${text(40)}`],
  ['postman-key', `PM${'AK-'}${hex(24)}-${hex(34)}`],
  ['shopify-token', `sh${'pat_'}${hex(32)}`],
  ['square-token', `sq0${'atp-'}${text(22)}`],
  ['airtable-token', `pa${'t'}${text(14)}.${hex(64)}`],
  ['onepassword-token', `ops_${'eyJ'}${text(120)}`],
  ['age-key', `AGE-SECRET-${'KEY-1'}${upper(58)}`],
  ['slack-token', `xo${'xc-'}123456789012-123456789012-${hex(32)}`],
  ['slack-token', `xo${'xd-'}${text(20)}%2F${text(30)}%3D`],
  ['atlassian-token', `AT${'ATT3'}xFfGF0${text(60)}_${text(40)}=${hex(8)}`],
  ['bitbucket-token', `AT${'BB'}${text(32)}`],
  ['nvidia-key', `nv${'api-'}${text(30)}-${text(33)}`],
  ['pinecone-key', `pc${'sk_'}${text(6)}_${text(62)}`],
  ['langsmith-key', `ls${'v2_pt_'}${hex(32)}_${hex(10)}`],
  ['cerebras-key', `cs${'k-'}${text(48)}`],
  ['tavily-key', `tv${'ly-'}dev-${text(32)}`],
  ['firecrawl-key', `f${'c-'}${hex(32)}`],
  ['fireworks-key', `f${'w_'}${text(24)}`],
  ['resend-key', `r${'e_'}${text(8)}_${text(24)}`],
  ['brevo-key', `xkey${'sib-'}${hex(64)}-${text(16)}`],
  ['mailgun-key', `ke${'y-'}${hex(32)}`],
  ['netlify-token', `nf${'p_'}${text(40)}`],
  ['fly-token', `fo${'1_'}${text(43)}`],
  ['fly-token', `fm${'2_'}lJPECAAAAAAA${text(40)}/+${text(40)}==`],
  ['vercel-token', `vc${'p_'}${text(52)}`],
  ['notion-token', `sec${'ret_'}${text(43)}`],
  ['elevenlabs-key', `s${'k_'}${hex(48)}`],
  ['e2b-key', `e2${'b_'}${hex(40)}`],
  ['jina-key', `ji${'na_'}${hex(32)}${text(28)}`],
  ['crates-token', `ci${'o'}${text(32)}`],
  ['nuget-key', `oy${'2'}${lower(43)}`],
  ['vault-token', `s${'.'}${text(24)}`],
  ['voyage-key', `p${'a-'}${text(40)}-${text(2)}`],
  ['brave-key', `BS${'A'}${text(28)}`],
  ['square-token', `EA${'AA'}${text(60)}`],
  ['jwt', `ey${'J'}${text(33)}.ey${'J'}${text(60)}.${text(43)}`],
];

/** Tokens whose beginning stays visible, because it tells nothing: what is written, and what must be hidden of it. */
const PARTLY: [rule: string, visible: string, secret: string][] = [
  ['google-oauth', `1${'//'}`, `0${text(60)}`],
  ['telegram-token', '1234567890:', `AA${text(33)}`],
  ['discord-token', `MTk4NjIyNDgzNDcxOTI1MjQ4.${text(6)}.`, text(38)],
  ['azure-secret', 'aB38Q~', `${text(20)}.~_${text(12)}`],
  ['openshift-token', 'sha256~', text(43)],
  ['anthropic-key', `keysk-ant-${'api03'}-`, text(60)],
  ['github-token', `0gh${'p_'}`, text(36)],
  ['github-token', `tokengithub_${'pat_'}`, `${text(22)}_${text(40)}`],
  ['gitlab-token', `xgl${'pat-'}`, text(20)],
  ['slack-token', `1xo${'xb-'}123456789012-`, `123456789012-${text(24)}`],
  ['stripe-key', `asSk_${'live_'}`.replace('S', 's'), text(24)],
  ['npm-token', `xnp${'m_'}`, text(36)],
  ['huggingface-token', `1h${'f_'}`, text(34)],
  ['digitalocean-token', `ado${'p_v1_'}`, hex(64)],
];

const body = Array.from({ length: 6 }, (_, line) => text(40) + '+/'.repeat(line) + hex(10)).join('\n');
const block = (kind: string) => `-----BEGIN ${kind}-----\n${body}=\n-----END ${kind}-----`;
const numbered = block('RSA PRIVATE KEY')
  .split('\n')
  .map((line, index) => `     ${index + 1}\u2192${line}`)
  .join('\n');

/** Keys without header and footer: how the data begins is enough. */
const BODIES = [
  `MIIEpAI${'BAAKCAQEA'}`,
  `MIIEvQI${'BADANBgkqhkiG9w0BAQEFAASC'}`,
  `MHcCA${'QEEI'}`,
  `MIGkA${'gEBBDA'}`,
  `MIGHAgEAMBM${'GByqGSM49AgEG'}`,
  `MC4CAQAw${'BQYDK2VwBCIEI'}`,
  `b3BlbnNz${'aC1rZXktdjEAAAAA'}`,
].map((head) => `${head}${text(80)}/+${text(120)}`.replace(/.{64}(?=.)/g, '$&\n').concat('=='));

export const SAMPLES: readonly Sample[] = [
  ...TOKENS.flatMap(([rule, secret]) => [
    { rule, text: `use ${secret} for it`, secret },
    { rule, text: `{"content":"first line\\n${secret}\\nlast"}`, secret },
  ]),
  ...PARTLY.flatMap(([rule, visible, secret]) => [
    { rule, text: `use ${visible}${secret} for it`, secret },
    { rule, text: `{"content":"first line\\n${visible}${secret}\\nlast"}`, secret },
  ]),
  { rule: 'terraform-token', text: `token ${text(14)}.atlasv1.${text(64)} here`, secret: text(64) },
  ...['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'].map(
    (kind) => ({
      rule: 'private-key',
      text: `the key:\n${block(kind)}\nand after`,
      secret: body,
    }),
  ),
  { rule: 'private-key', text: `"${block('PRIVATE KEY').replaceAll('\n', '\\n')}"`, secret: text(40) },
  { rule: 'private-key', text: numbered, secret: text(40) },
  {
    rule: 'private-key',
    text: block('RSA PRIVATE KEY').replace(
      'KEY-----\n',
      `KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${hex(32)}\n\n`,
    ),
    secret: body,
  },
  {
    rule: 'private-key',
    text: block('PGP PRIVATE KEY BLOCK').replace('BLOCK-----\n', 'BLOCK-----\nVersion: GnuPG v2\n\n'),
    secret: body,
  },
  ...BODIES.flatMap((body) => [
    { rule: 'private-key', text: `key ${body.replaceAll('\n', '')} end`, secret: body.slice(-60).replaceAll('\n', '') },
    { rule: 'private-key', text: `key:\n${body}\nand after`, secret: body.slice(0, 64) },
    { rule: 'private-key', text: JSON.stringify({ key: body }), secret: body.slice(70, 120) },
  ]),
  { rule: 'url-token', text: `git clone https://${hex(40)}@github.com/a/b.git`, secret: hex(40) },
  { rule: 'url-token', text: `https://${text(24)}@host.internal/x`, secret: text(24) },
  { rule: 'url-password', text: 'postgres://admin:pa/ss9w0rd@db.internal/app', secret: 'pa/ss9w0rd' },
  { rule: 'cookie', text: `Cookie: theme=dark-mode; session=${text(24)}`, secret: text(24) },
  { rule: 'cookie', text: `Set-Cookie: sid=s%3A${text(24)}.${text(12)}; Path=/; HttpOnly`, secret: text(24) },
  { rule: 'cookie', text: `curl -H "cookie: sid=${text(24)}" https://host`, secret: text(24) },
  {
    rule: 'signature',
    text: `https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=${hex(64)}`,
    secret: hex(64),
  },
  {
    rule: 'signature',
    text: `https://a.blob.core.windows.net/c?sv=2024&sig=${text(20)}%2B${text(20)}%3D`,
    secret: text(20),
  },
  { rule: 'signature', text: `"https://host/k?se=1\\u0026sig=${text(40)}"`, secret: text(40) },
  { rule: 'authorization', text: `Authorization: ${hex(12)}`, secret: hex(12) },
  { rule: 'authorization', text: 'Authorization: Bearer abc.def.ghi', secret: 'abc.def.ghi' },
  { rule: 'authorization', text: "curl -H 'authorization: Basic dXNlcjpwYXNz' x", secret: 'dXNlcjpwYXNz' },
  { rule: 'authorization', text: '{\\"Authorization\\": \\"token 0123abcd\\"}', secret: '0123abcd' },
  { rule: 'authorization', text: `Authorization: ${hex(32)}`, secret: hex(32) },
  { rule: 'bearer-token', text: `sent Bearer ${text(30)} to it`, secret: text(30) },
  { rule: 'url-password', text: 'postgres://admin:pa55:w0rd@db.internal:5432/app', secret: 'pa55:w0rd' },
  { rule: 'url-password', text: 'redis://:hunter2@cache', secret: 'hunter2' },
  { rule: 'url-password', text: 'git clone https://x-access-token:letmein@host/a.git', secret: 'letmein' },
  { rule: 'webhook', text: `https://hooks.slack.com/services/T01234567/B01234567/${text(24)}`, secret: text(24) },
  { rule: 'webhook', text: `https://discord.com/api/webhooks/123456789012345678/${text(68)}`, secret: text(68) },
  { rule: 'basic-password', text: 'curl -u admin:s3cr3t! https://host', secret: 's3cr3t!' },
  { rule: 'basic-password', text: 'curl --user admin:s3cr3t! https://host', secret: 's3cr3t!' },
  { rule: 'credential', text: 'DB_PASSWORD=pa$$w0rd9', secret: 'w0rd' },
  { rule: 'credential', text: 'DB_PASSWORD=pa(ss)w0rd next', secret: 'pa(ss)w0rd' },
  { rule: 'credential', text: 'export DB_PASSWORD=ab&cd;ef|gh<ij', secret: 'cd;ef' },
  { rule: 'credential', text: 'docker run -e SECRET_KEY=a1{b2},c3 image', secret: 'c3' },
  { rule: 'credential', text: 'DB_PASSWORD="my secret pass phrase"', secret: 'pass phrase' },
  { rule: 'credential', text: "export ROOT_PASSPHRASE='correct horse battery'", secret: 'horse' },
  { rule: 'credential', text: 'db:\n  password: correcthorse\n  host: db', secret: 'correcthorse' },
  { rule: 'credential', text: 'password: correcthorse', secret: 'correcthorse' },
  { rule: 'credential', text: '- password: 48151623\n', secret: '48151623' },
  { rule: 'credential', text: '{"content":"db:\\n  password: 4815\\n"}', secret: '4815' },
  { rule: 'credential', text: 'pwd=48151623', secret: '48151623' },
  { rule: 'credential', text: '<password>hunter2</password>', secret: 'hunter2' },
  { rule: 'credential', text: '<db:password>correcthorse</db:password>', secret: 'correcthorse' },
  { rule: 'credential', text: `<apiKey>${text(24)}</apiKey>`, secret: text(24) },
  { rule: 'credential', text: 'machine host login me password x9y8z7', secret: 'x9y8z7' },
  { rule: 'credential', text: 'machine host\n  login me\n  password correcthorse\n', secret: 'correcthorse' },
  { rule: 'credential', text: 'sshpass -p hunter2 ssh me@host', secret: 'hunter2' },
  { rule: 'credential', text: "sshpass -p 'hunter2' ssh me@host", secret: 'hunter2' },
  { rule: 'credential', text: 'mysql -u root -phunter2 app', secret: 'hunter2' },
  { rule: 'credential', text: 'mysqldump -phunter2 app', secret: 'hunter2' },
  { rule: 'credential', text: 'docker login -u me -p hunter2 host', secret: 'hunter2' },
  { rule: 'credential', text: 'ENV DB_PASSWORD hunter2', secret: 'hunter2' },
  { rule: 'credential', text: `APP_KEY=base64:${text(40)}=`, secret: text(40) },
  { rule: 'credential', text: `FERNET_KEY=${text(43)}=`, secret: text(43) },
  { rule: 'credential', text: `DD_APPLICATION_KEY=${hex(40)}`, secret: hex(40) },
  { rule: 'credential', text: `ALGOLIA_ADMIN_KEY: "${hex(32)}"`, secret: hex(32) },
  { rule: 'credential', text: `AccountKey=${text(40)}==;`, secret: text(40) },
  { rule: 'credential', text: 'SMTP_PASS=hunter2', secret: 'hunter2' },
  { rule: 'credential', text: 'DB_PASSWORD=hunter2', secret: 'hunter2' },
  { rule: 'credential', text: 'export API_KEY="correct-horse"', secret: 'correct-horse' },
  { rule: 'credential', text: 'SECRET=topsecret\nNEXT=1', secret: 'topsecret' },
  { rule: 'credential', text: 'POSTGRES_PASSWORD: example', secret: 'example' },
  { rule: 'credential', text: 'STRIPE_SECRET_KEY_LIVE=abcd1234', secret: 'abcd1234' },
  { rule: 'credential', text: 'password: hunter2', secret: 'hunter2' },
  { rule: 'credential', text: '"password": "correcthorse"', secret: 'correcthorse' },
  { rule: 'credential', text: "const dbPassword = 'p@ss$(word)';", secret: 'p@ss$(word)' },
  { rule: 'credential', text: `"clientSecret":"${text(20)}"`, secret: text(20) },
  { rule: 'credential', text: `aws_secret_access_key = ${text(20)}/${text(19)}`, secret: text(20) },
  { rule: 'credential', text: `api_key: '${hex(32)}'`, secret: hex(32) },
  { rule: 'credential', text: `X-Api-Key: ${text(24)}`, secret: text(24) },
  { rule: 'credential', text: `//registry.host/:_authToken=${hex(36)}`, secret: hex(36) },
  { rule: 'credential', text: `https://host/cb?access_token=${text(24)}&next=1`, secret: text(24) },
  { rule: 'credential', text: `{\\"refreshToken\\": \\"${text(24)}\\"}`, secret: text(24) },
  { rule: 'credential', text: 'deploy --password hunter2 --force', secret: 'hunter2' },
  { rule: 'credential', text: `PASSWORD=${text(150)}`, secret: text(150) },
];
