/** Files beside the words: what they are is seen in them, what an agent does not take is refused before the start, and events tell of them without their content. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agentNamed } from '../../src/decode/index.js';
import { typeOf } from '../../src/run/attachment/file-type.js';
import { plainName } from '../../src/run/attachment/given-file.js';
import { bindAttachments, forgetAttachments, keepAttachment, keptFiles } from '../../src/run/index.js';
import { planRun } from '../../src/run/request/request.js';
import { init, result, text } from '../fake-agent/lines.js';
import { PICTURE } from '../fake-agent/picture.js';
import { hasty, play, readAll, temporaryDirectory } from '../fake-agent/play.js';

const HEADS: [string, Buffer, string | undefined][] = [
  ['PNG', PICTURE, 'image/png'],
  ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  ['GIF', Buffer.from('GIF89a\x01\x00'), 'image/gif'],
  ['WebP', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 '), 'image/webp'],
  ['PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ['SVG, which may hold a program', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), undefined],
  ['a page', Buffer.from('<!doctype html><img>'), undefined],
  ['a sound in RIFF', Buffer.from('RIFF\x10\x00\x00\x00WAVEfmt '), undefined],
  ['nothing', Buffer.alloc(0), undefined],
];

test.each(HEADS)('a file is what its content says: %s', (_, data, type) => {
  expect(typeOf(data)).toBe(type);
});

test.each([
  ['/etc/../a b.png', 'a b.png'],
  ['C:\\Users\\me\\shot.png', 'shot.png'],
  ['..', 'file'],
  ['.ssh', 'ssh'],
  ['a\u202egnp.exe\u0007\n.png', 'agnp.exe .png'],
  ['x'.repeat(5000), 'x'.repeat(120)],
  ['', 'file'],
])('a name is no path and hides nothing: %j', (name, shown) => {
  expect(plainName(name)).toBe(shown);
});

test('what an agent cannot take is refused before anything starts, and says why', () => {
  const cwd = temporaryDirectory();
  const put = (name: string, data: Buffer | string) => writeFileSync(path.join(cwd, name), data);
  put('shot.png', PICTURE);
  put('plan.pdf', '%PDF-1.7\n');
  put('notes.png', 'words, whatever the name says');
  put('big.png', PICTURE);
  truncateSync(path.join(cwd, 'big.png'), 8 * 1024 * 1024 + 1);
  mkdirSync(path.join(cwd, 'folder.png'));
  const refusal = (agent: string, ...attachments: string[]): string => {
    try {
      planRun({ agent, prompt: 'go', cwd, attachments });
      return 'taken';
    } catch (error) {
      return String(error).replace('GlassboxError: ', '');
    }
  };
  expect(refusal('claude', 'shot.png', 'plan.pdf')).toBe('taken');
  expect(refusal('gemini', 'shot.png')).toMatch(/^Gemini CLI cannot be given files beside the words \(attachments\)/);
  expect(refusal('codex', 'shot.png', 'plan.pdf')).toMatch(/^Codex cannot be given plan.pdf: it takes pictures alone/);
  expect(refusal('claude', 'notes.png')).toMatch(/^notes.png is no picture \(PNG, JPEG, GIF, WebP\) and no PDF\./);
  expect(refusal('claude', 'big.png')).toBe('big.png is larger than 8 MiB. Attach a smaller one.');
  expect(refusal('claude', 'folder.png')).toBe('folder.png cannot be attached: it is no file.');
  expect(refusal('claude', 'gone.png')).toBe('gone.png cannot be attached: it cannot be read.');
  expect(refusal('claude', ...Array(11).fill('shot.png'))).toBe('At most 10 files can be attached at once.');
  expect(() => planRun({ agent: 'claude', keepOpen: true, cwd, attachments: ['shot.png'] })).toThrow(
    /belong to a prompt/,
  );
});

test('prompt and messages tell of what is attached, and nothing of what is in it', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(path.join(cwd, 'shot.png'), PICTURE);
  const script = [init(), text('Seen.'), result('Seen.'), { hear: 'user' }, text('Again.'), result('Again.')] as const;
  const handle = play(script, { agent: hasty, cwd, permission: 'deny', keepOpen: true, attachments: ['shot.png'] });
  let turns = 0;
  const events = await readAll(handle, (event) => {
    if (event.type !== 'turn-end') return;
    turns += 1;
    if (turns === 1) handle.say('And this?', { attachments: ['shot.png'] });
    else handle.close();
  });
  const said = events.filter((event) => event.type === 'user-message');
  const told = [{ kind: 'image', name: 'shot.png', mimeType: 'image/png', bytes: PICTURE.length }];
  expect(said.map((event) => [event.text, event.attachments])).toEqual([
    ['go', told],
    ['And this?', told],
  ]);
  expect(JSON.stringify(events)).not.toContain(PICTURE.toString('base64').slice(0, 30));
  expect(() => handle.say('late', { attachments: ['shot.png'] })).toThrow();
});

test('what waits is for its user alone, is taken by its id and never by a path, and goes with the session', () => {
  const kept = keepAttachment({ name: '../../shot\u202e.png', data: PICTURE });
  expect(kept).toMatchObject({ name: 'shot.png', mimeType: 'image/png', bytes: PICTURE.length });
  const [file = ''] = keptFiles([kept.id]);
  expect(readFileSync(file)).toEqual(PICTURE);
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  for (const id of ['../waiting', '/etc/passwd', kept.id.toUpperCase(), `${kept.id}/..`, '0'.repeat(32)])
    expect(() => keptFiles([id])).toThrow(/no longer kept/);
  bindAttachments([kept.id], 'r1');
  expect(existsSync(file)).toBe(false);
  expect(() => keptFiles([kept.id])).toThrow(/no longer kept/);
  const runs = path.join(process.env.GLASSBOX_STATE_DIR ?? '', 'attachments', 'runs');
  expect(readdirSync(runs)).toHaveLength(1);
  forgetAttachments([{ runs: [{ runId: 'r1' }] }]);
  expect(readdirSync(runs)).toEqual([]);
  expect(() => keepAttachment({ name: 'a.png', data: Buffer.from('no picture') })).toThrow(/is no picture/);
  expect(agentNamed('claude')?.attachments).toContain('application/pdf');
});

test('a link is followed by whoever names it, and a pipe is not waited for', () => {
  const cwd = temporaryDirectory();
  writeFileSync(path.join(cwd, 'shot.png'), PICTURE);
  symlinkSync('shot.png', path.join(cwd, 'link.png'));
  expect(planRun({ agent: 'claude', prompt: 'go', cwd, attachments: ['link.png'] }).command.attachments).toHaveLength(
    1,
  );
  expect(() => planRun({ agent: 'claude', prompt: 'go', cwd, attachments: ['/dev/null'] })).toThrow(/no file/);
});
