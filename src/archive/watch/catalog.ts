/** Which file belongs to which conversation, learned file by file: a file is looked into once, when it is first heard of. */
import { lstat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Agent } from '../../agent/agent.js';
import type { OpenDatabase } from '../database.js';
import { type Conversation, type ConversationFile, firstValue, ID, stampOf, stateOf } from '../find.js';
import { complaintAbout } from '../own-file.js';

export interface Catalog {
  /** The id of the conversation that this file belongs to. */
  identify(agent: Agent, folder: string, path: string): Promise<string | undefined>;
  /** A conversation as it is now; undefined while its main file is not there. */
  find(agent: Agent, sessionId: string): Promise<Conversation | undefined>;
  /** That it is in this database. */
  note(agent: Agent, sessionId: string, database: string): void;
  /** The file is gone. */
  forget(path: string): void;
}

interface Known extends ConversationFile {
  place: string;
}

export function createCatalog(openDatabase: OpenDatabase | undefined): Catalog {
  const conversations = new Map<string, Map<string, Known>>();
  const owners = new Map<string, { key: string; sessionId: string }>();

  const add = (agent: Agent, sessionId: string, file: Known): void => {
    const key = keyOf(agent, sessionId);
    const files = conversations.get(key) ?? new Map<string, Known>();
    conversations.set(key, files.set(file.path, file));
    if (file.form !== 'database') owners.set(file.path, { key, sessionId });
  };

  return {
    async identify(agent, folder, path) {
      const known = owners.get(path);
      if (known?.key === keyOf(agent, known?.sessionId ?? '')) return known.sessionId;
      const place = relative(folder, path).split(sep).join('/');
      const which = agent.transcripts?.identify(place, () => firstValue(path));
      if (!which || !ID.test(which.sessionId)) return undefined;
      const { sessionId, part, isDocument } = which;
      add(agent, sessionId, {
        path,
        place,
        ...(part !== undefined && { part }),
        ...(isDocument && { form: 'document' as const }),
      });
      return sessionId;
    },
    async find(agent, sessionId) {
      const files = [...(conversations.get(keyOf(agent, sessionId))?.values() ?? [])];
      const database = files.find(({ form }) => form === 'database');
      if (database) return inDatabase(agent, sessionId, database.path, openDatabase);
      const stamps: string[] = [];
      const there: ConversationFile[] = [];
      let bytes = 0;
      for (const { place, ...file } of files) {
        const facts = await lstat(file.path).catch(() => undefined);
        if (!facts || complaintAbout(facts) !== undefined) continue;
        stamps.push(stampOf(place, facts));
        bytes += facts.size;
        if (file.part === undefined) there.unshift(file);
        else there.push(file);
      }
      if (there[0] === undefined || there[0].part !== undefined) return undefined;
      return { agent, sessionId, files: there, state: stateOf(stamps), bytes };
    },
    note(agent, sessionId, path) {
      if (ID.test(sessionId)) add(agent, sessionId, { path, place: path, form: 'database' });
    },
    forget(path) {
      const known = owners.get(path);
      owners.delete(path);
      conversations.get(known?.key ?? '')?.delete(path);
    },
  };
}

export function keyOf({ name }: Pick<Agent, 'name'>, sessionId: string): string {
  return `${name} ${sessionId}`;
}

async function inDatabase(
  agent: Agent,
  sessionId: string,
  path: string,
  openDatabase: OpenDatabase | undefined,
): Promise<Conversation | undefined> {
  const { conversations } = agent.transcripts?.database ?? {};
  const database = conversations === undefined ? undefined : await openDatabase?.(path).catch(() => undefined);
  if (!database) return undefined;
  try {
    const [row] = database.rows(`select * from (${conversations}) where id = ?`, sessionId);
    const file = { path, form: 'database' } as const;
    return (
      row && { agent, sessionId, files: [file], state: stateOf([String(row.state)]), bytes: Number(row.bytes) || 0 }
    );
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}
