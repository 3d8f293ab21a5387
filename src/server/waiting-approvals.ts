/** The questions that wait, each with what lies around it: the agent's last words, and what git says about its files. */
import type { ApprovalRecord, WaitingApproval } from '../client/api.js';
import { hostId } from '../store/host.js';
import type { Store } from '../store/index.js';
import { treeFacts } from './tree-facts.js';

/** So far back its last words are looked for. */
const BEFORE = 120;
const LONGEST_WORDS = 600;

export interface WaitingApprovals {
  /** Of all sessions, or of these. */
  list(sessions?: ReadonlySet<string>): Promise<WaitingApproval[]>;
}

export function createWaitingApprovals(store: Pick<Store, 'approvals' | 'read' | 'session'>): WaitingApprovals {
  /** Looked up once for each question: whoever decides must not see it change. */
  let known = new Map<string, Promise<WaitingApproval>>();
  return {
    async list(sessions) {
      const open = await store.approvals();
      const before = known;
      known = new Map(open.map((record) => [keyOf(record), before.get(keyOf(record)) ?? lookAround(store, record)]));
      const meant = sessions ? open.filter(({ session }) => sessions.has(session)) : open;
      return Promise.all(
        meant.map(async (record) => ({ ...(await known.get(keyOf(record))), ...record }) as WaitingApproval),
      );
    },
  };
}

function keyOf({ runId, request }: ApprovalRecord): string {
  return `${runId} ${request.id} ${request.seq}`;
}

/** What cannot be found is left out: the question is what counts. */
async function lookAround(store: Pick<Store, 'read' | 'session'>, record: ApprovalRecord): Promise<WaitingApproval> {
  const [said, around] = await Promise.all([
    lastWords(store, record).catch(() => undefined),
    factsHere(store, record).catch(() => ({})),
  ]);
  return { ...record, ...(said && { said }), ...(Object.keys(around).length > 0 && { around }) };
}

async function lastWords(store: Pick<Store, 'read'>, { runId, request }: ApprovalRecord): Promise<string | undefined> {
  let said: string | undefined;
  for await (const event of store.read(runId, Math.max(1, request.seq - BEFORE))) {
    if (event.seq >= request.seq) break;
    if (event.type === 'text-end' && event.parent === request.parent) said = event.text;
  }
  const paragraph =
    said
      ?.trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  return paragraph.length > LONGEST_WORDS ? `…${paragraph.slice(-LONGEST_WORDS)}` : paragraph || undefined;
}

/** Only where the agent runs on this machine: elsewhere the same path is another file. */
async function factsHere(store: Pick<Store, 'session'>, { runId, request }: ApprovalRecord) {
  const { directory, edits = [], paths = [], toolKind } = request;
  const isChange = edits.length > 0 || toolKind === 'edit' || toolKind === 'delete' || toolKind === 'move';
  if (!isChange || directory === undefined) return {};
  const run = (await store.session(runId))?.runs.find((one) => one.runId === runId);
  if (run?.owner?.host !== hostId()) return {};
  return treeFacts(directory, [...new Set([...edits.map(({ path }) => path), ...paths])]);
}
