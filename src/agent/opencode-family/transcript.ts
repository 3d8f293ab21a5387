/**
 * Sessions of the opencode family on disk: one SQLite database, whose rows have the parts of messages as `run --format json` prints them.
 * That prints one turn and ends, so each turn is told by a process of its own.
 */
import type { Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, parsed, string } from '../field.js';
import { createRetelling } from '../retelling.js';
import { createSubAgents } from '../sub-agents.js';
import type { TranscriptDatabase, TranscriptReader, Transcripts } from '../transcript.js';
import { createStreamProtocol } from './stream.js';

export function createTranscripts(name: string, folders: readonly string[], hints: Hints): Transcripts {
  return {
    folders,
    files: /(?!)/,
    identify: () => undefined,
    database: { ...QUESTIONS, file: `${name}.db` },
    createReader: () => createReader(hints),
  };
}

/** Sub-agents have sessions of their own, which belong to the one that no other has called. */
const FAMILY = `with recursive family(id, root, caller) as (
  select id, id, null from session where parent_id is null
  union all select session.id, family.root, family.id from session join family on session.parent_id = family.id
)`;

const QUESTIONS: Omit<TranscriptDatabase, 'file'> = {
  conversations: `${FAMILY}
    select session.id as id, session.time_updated as changedAt,
      session.time_updated || ' ' || session.title || ' ' || count(part.id) || ' ' || coalesce(max(part.time_updated), 0) || ' ' ||
        coalesce((select max(time_updated) from message where session_id = session.id), 0) as state,
      coalesce(sum(length(part.data)), 0) as bytes
    from family join session on session.id = family.root left join part on part.session_id = family.id
    group by session.id`,
  rows: {
    // A copy keeps the times of its messages, which nothing else has in common with another session.
    session: `
      select id, directory, title, version, time_created as at, (
        select other.session_id from message as own join message as other on other.time_created = own.time_created
        where own.session_id = session.id and own.time_created < session.time_created and other.session_id <> session.id
        order by other.id limit 1
      ) as origin
      from session where id = ?`,
    // Before the parts, which say where these belong.
    child: `${FAMILY}
      select family.id as child, family.caller as caller, message.id as messageID, message.data as message, part.id as id, part.data as part,
        coalesce(part.time_updated, message.time_updated) as at, message.time_created as said
      from family join message on message.session_id = family.id left join part on part.message_id = message.id
      where family.root = ? and family.caller is not null order by message.time_created, message.id, part.id`,
    part: `
      select message.id as messageID, message.data as message, part.id as id, part.data as part,
        coalesce(part.time_updated, message.time_updated) as at, message.time_created as said
      from message left join part on part.message_id = message.id
      where message.session_id = ? order by message.time_created, message.id, part.id`,
  },
  // The newest rows have the largest numbers; to look for times among all of them would take as long as there are rows.
  recent: `${FAMILY}
    select distinct family.root as id from family join (
      select session_id, time_updated as at from (select * from part order by rowid desc limit 500)
      union all select session_id, time_updated from (select * from message order by rowid desc limit 100)
      union all select id, time_updated from (select * from session order by rowid desc limit 500)
    ) as news on news.session_id = family.id where news.at >= cast(? as integer)`,
  isOpen({ message, part }) {
    const { role, time, error } = members(parsed(anyString(message) ?? ''));
    const isOver = number(members(time).completed) !== undefined || (error !== undefined && error !== null);
    if (part === null) return role === 'user' || !isOver;
    const { type, state, time: spoken } = members(parsed(anyString(part) ?? ''));
    if (isOver || role === 'user') return false;
    if (type === 'tool') return /^(pending|running)$/.test(string(members(state).status) ?? '');
    return (type === 'text' || type === 'reasoning') && number(members(spoken).end) === undefined;
  },
};

interface Message {
  readonly id: unknown;
  /** As they were said last. */
  facts: Json;
  readonly at: number;
  /** What a person said in it. */
  readonly heard: string[];
  /** Its last call was refused by a person. */
  isRefused?: boolean;
}

function createReader(hints: Hints): TranscriptReader {
  const retelling = createRetelling(() => createStreamProtocol({}, hints));
  const subAgents = createSubAgents(retelling, () => createReader(hints));
  /** Each sub-agent, with the one of ours that it works for. */
  const children = new Map<string, string>();
  let sessionID: unknown;
  let begun = 0;
  let forkOf: string | undefined;
  /** The message whose parts come. */
  let open: Message | undefined;
  /** Until then it was busy with a message after which it goes on by itself. */
  let busyUntil = 0;
  let model: string | undefined;
  let title: string | undefined;
  /** The row that was told last comes again to whoever goes on there: by then its message may say more. */
  let told: unknown;

  const tell = (type: string, body: Json, at: number): void => retelling.tell({ type, sessionID, ...body }, at);

  function readSession({ id, directory, title: called, version, at, origin }: Json): void {
    const isKnown = sessionID !== undefined;
    sessionID = id;
    begun = number(at) ?? 0;
    forkOf = string(origin);
    const name = /^New session - /.test(string(called) ?? '') ? undefined : string(called);
    const facts = { cwd: string(directory), agentVersion: string(version), ...(name !== undefined && { title: name }) };
    if (!isKnown) retelling.introduce(string(id), facts, begun);
    else if (name !== title) retelling.learn({ title: name }, retelling.lastAt);
    title = name;
  }

  function readPart(row: Json): void {
    if ((number(row.said) ?? begun) < begun) return;
    sessionID ??= row.child;
    const facts = members(parsed(anyString(row.message) ?? ''));
    if (row.messageID === open?.id && open) open.facts = facts;
    const key = row.id ?? row.messageID;
    if (key === told) return;
    told = key;
    const message = row.messageID === open?.id && open ? open : startMessage(row, facts);
    const part = members(parsed(anyString(row.part) ?? ''));
    const line = { ...part, id: row.id, messageID: row.messageID, sessionID };
    const type = lookUp(LINES, string(part.type));
    if (message.facts.role === 'user') hear(line, message);
    // A remark of the program to who looks, which it does not print.
    else if (type !== undefined && part.ignored !== true) {
      const at = number(row.at) ?? retelling.lastAt;
      if (type === 'tool_use') {
        tellCalled(line, at);
        message.isRefused ||= REFUSED.test(anyString(members(part.state).error) ?? '');
      }
      tell(type, { part: line }, at);
    }
  }

  /** What its sub-agent did stands between its beginning and its end. */
  function tellCalled(part: Json, at: number): void {
    const child = string(members(members(part.state).metadata).sessionId);
    const call = string(part.callID);
    if (child === undefined || call === undefined) return;
    const begun = number(members(members(part.state).time).start) ?? at;
    tell('tool_use', { part: { ...part, state: { ...members(part.state), status: 'running' } } }, begun);
    subAgents.adopt(child, call);
    subAgents.finish(child);
  }

  /** What a sub-agent of a sub-agent did is told by the one that called it. */
  function readChild(row: Json): void {
    const [child, caller] = [string(row.child), string(row.caller)];
    if (child === undefined || caller === undefined) return;
    const own = caller === sessionID ? child : (children.get(caller) ?? child);
    children.set(child, own);
    subAgents.receive(own, row, number(row.at), own === child ? 'part' : 'child');
  }

  function startMessage(row: Json, facts: Json): Message {
    endMessage();
    open = { id: row.messageID, facts, at: number(row.said) ?? retelling.lastAt, heard: [] };
    const name = string(facts.modelID);
    if (name !== undefined && name !== model) retelling.learn({ model: name }, open.at);
    model = name ?? model;
    return open;
  }

  function hear(part: Json, { heard, at }: Message): void {
    const text = anyString(part.text);
    if (part.type !== 'text' || text === undefined) return;
    // What the program says to itself goes on with the turn.
    if (part.synthetic === true && retelling.inTurn) tell('text', { part }, at);
    else heard.push(text);
  }

  /** A message is whole when the next one begins. */
  function endMessage(): void {
    if (!open) return;
    const { facts, heard, at } = open;
    const { error, time } = facts;
    if (facts.role === 'assistant' && facts.finish === 'tool-calls')
      busyUntil = number(members(time).completed) ?? busyUntil;
    if (heard.length > 0) {
      // What is said while it works goes into the turn that is open.
      if (at >= busyUntil) retelling.close(subAgents.charge);
      retelling.userSaid(heard.join('\n'), at);
    }
    if (error !== undefined && error !== null) tell('error', { error }, number(members(time).completed) ?? at);
    open = undefined;
  }

  /** It has said why it stopped, and that is not that tools have to run first; a person who refuses one stops it too. */
  function isAnswered(): boolean {
    const { role, finish, error } = open?.facts ?? {};
    const isStopped = open?.isRefused === true && finish !== undefined;
    return (
      role === 'assistant' &&
      (isStopped || (finish !== undefined && finish !== 'tool-calls') || (error ?? null) !== null)
    );
  }

  const origin = () => (forkOf === undefined ? {} : { forkOf });

  return {
    receive(value, part) {
      if (part === 'session') readSession(members(value));
      else if (part === 'child') readChild(members(value));
      else readPart(members(value));
      return retelling.take();
    },
    settle() {
      const isOver = isAnswered();
      if (isOver || open?.facts.role === 'user') endMessage();
      if (isOver) retelling.close(subAgents.charge);
      return retelling.take();
    },
    origin,
    end() {
      subAgents.finishAll();
      endMessage();
      retelling.close(subAgents.charge);
      return { moments: retelling.take(), ...origin() };
    },
  };
}

/** What a call says that somebody refused; what a rule refused goes on. */
const REFUSED = /^The user rejected permission/;

/** The line that each kind of part is printed as. */
const LINES: Readonly<Record<string, string>> = {
  'step-start': 'step_start',
  text: 'text',
  reasoning: 'reasoning',
  tool: 'tool_use',
  'step-finish': 'step_finish',
};
