/**
 * A history of Claude Code as large as wanted, made of recorded sessions: each with ids and times of its own, gone on with as often as chance says,
 * and with source text of this repository where tools gave something back. The same size gives the same files.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const RECORDED = 'test/archive/recordings/projects';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const LAST_DAY = Date.UTC(2026, 10, 15);
const DAY_MS = 86_400_000;
const PROJECTS = 23;
/** Between one prompt and the next. */
const PAUSE_MS = 120_000;
const MOST_PROMPTS = 60;

export interface History {
  files: number;
  sessions: number;
  bytes: number;
}

/** A session as it was recorded: its main file and those of its sub-agents, below its folder. */
interface Recorded {
  id: string;
  files: { place: string; text: string }[];
}

/** Writes below `home`, where Claude Code would. */
export function writeHistory(home: string, bytes: number): History {
  const recorded = recordedSessions();
  const sources = filesBelow('src')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'));
  const random = createRandom(7);
  const history: History = { files: 0, sessions: 0, bytes: 0 };
  while (history.bytes < bytes) {
    const session = recorded[history.sessions % recorded.length];
    if (!session) break;
    history.sessions += 1;
    for (const [place, text] of Object.entries(retell(session, history.sessions))) {
      const file = join(home, '.claude/projects', place);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, LAST_DAY / 1000, LAST_DAY / 1000);
      history.bytes += Buffer.byteLength(text);
      history.files += 1;
    }
  }
  return history;

  function retell({ id, files }: Recorded, number: number): Record<string, string> {
    const own = uuidOf(`session ${number}`);
    const project = `/work/project${number % PROJECTS}`;
    const begun = LAST_DAY - Math.floor(random() * 90 * DAY_MS);
    const times = 1 + Math.floor(random() * random() * MOST_PROMPTS);
    const first = Math.min(...files.flatMap(({ text }) => timesIn(text)));
    const told: Record<string, string> = {};
    for (const [file, { place, text }] of files.entries()) {
      const sum = { before: 0, now: 0 };
      const parts = Array.from({ length: times }, (_, time) =>
        withOwnIds(text, file)
          .replace(UUID, (uuid) => (uuid === id ? own : uuidOf(`${number} ${time} ${uuid}`)))
          .replace(/(?:msg|toolu|req)_\w+/g, (name) => `${name}x${number}c${time}`)
          .replaceAll('"agentId":"', `"agentId":"z${number}`)
          .replace(/"timestamp":"([^"]+)"/g, (_all, at: string) => {
            const moved = begun + Date.parse(at) - first + time * PAUSE_MS;
            return `"timestamp":"${new Date(moved).toISOString()}"`;
          })
          .replaceAll('"cwd":"/repo"', `"cwd":"${project}"`)
          .split('\n')
          .map((line) => withSum(withSource(line), sum))
          .join('\n'),
      );
      const path = place.replace(id, own).replace(/\bagent-/, `agent-z${number}`);
      told[join(project.replaceAll('/', '-'), path.includes(own) ? path : basename(path))] = place.endsWith('.json')
        ? (parts[0] ?? '')
        : parts.join('');
    }
    return told;
  }

  /** What tools gave back and what was said is as long and as mixed as it is when people work. */
  function withSource(line: string): string {
    if (!line.includes('"tool_result"') && !line.includes('"type":"assistant"')) return line;
    const entry = JSON.parse(line);
    if (!Array.isArray(entry.message?.content)) return line;
    // Calls of the same message tell the same, and no two messages do.
    if (entry.message.usage) entry.message.usage.cache_read_input_tokens += tokensOf(entry.message.id ?? '');
    for (const block of entry.message.content) {
      const text = sources[Math.floor(random() * sources.length)] ?? '';
      const length = Math.floor(200 * Math.exp(random() * 4.6));
      const from = Math.floor(random() * Math.max(1, text.length - length));
      const piece = text.slice(from, from + length) || 'ok';
      if (block.type === 'text') block.text = piece.slice(0, 1500);
      if (block.type !== 'tool_result') continue;
      block.content = piece;
      if (entry.toolUseResult?.stdout !== undefined) entry.toolUseResult.stdout = piece;
    }
    return JSON.stringify(entry);
  }
}

/** The recorded model counted its messages anew after each start, so that ids came twice; the true ones never do. */
function withOwnIds(text: string, file: number): string {
  const turnOf = new Map<string, number>();
  let turn = 0;
  return text
    .split('\n')
    .map((line) => {
      if (line.includes('"type":"user"') && !line.includes('"tool_result"')) turn += 1;
      return line.replace(/\b(?:msg|req)_\w+/g, (name) => {
        const first = turnOf.get(name) ?? turn;
        turnOf.set(name, first);
        return `${name}f${file}${first === turn ? '' : `t${turn}`}`;
      });
    })
    .join('\n');
}

/** The program's own sum goes on when a session does. */
function withSum(line: string, sum: { before: number; now: number }): string {
  if (!line.startsWith('{"type":"cost-state"')) return line;
  const entry = JSON.parse(line);
  if (entry.totalCostUSD < sum.now - sum.before) sum.before = sum.now;
  sum.now = sum.before + entry.totalCostUSD;
  return JSON.stringify({ ...entry, totalCostUSD: sum.now });
}

function tokensOf(name: string): number {
  return createHash('md5').update(name).digest().readUInt16LE();
}

/** Without the fork, whose times reach back into another session. */
function recordedSessions(): Recorded[] {
  return readdirSync(RECORDED).flatMap((project) => {
    const folder = join(RECORDED, project);
    const files = filesBelow(folder).map((file) => ({
      place: relative(folder, file),
      text: readFileSync(file, 'utf8'),
    }));
    const mains = files.filter(({ place }) => /^[0-9a-f-]{36}\.jsonl$/.test(place));
    return mains
      .map(({ place }) => place.slice(0, -'.jsonl'.length))
      .filter((id) => !id.startsWith('34a29a94'))
      .map((id) => ({
        id,
        files: files.filter(({ place, text }) => place.includes(id) || isAgentOf(id, place, text)),
      }));
  });
}

const isAgentOf = (id: string, place: string, text: string): boolean =>
  /^agent-[^/]+$/.test(place) && text.includes(`"sessionId":"${id}"`);

function timesIn(text: string): number[] {
  return [...text.matchAll(/"timestamp":"([^"]+)"/g)].map(([, at = '']) => Date.parse(at));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function uuidOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/** The same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
