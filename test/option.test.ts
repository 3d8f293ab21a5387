/**
 * What a stranger sees of the package, read off its types, once for all, because the compiler takes its time: a small public face with
 * help, and calls each of which refuses an option that it does not have.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createChronicle,
  createPrintOnlyProtocol,
  replacing,
  replacingEach,
  testAgent,
  toolTable,
} from '../src/agent.js';
import { createWireDecoder } from '../src/claude.js';
import { createClient } from '../src/client/index.js';
import {
  capabilityIds,
  createBackend,
  createConversation,
  createFormatter,
  createGateway,
  createHeadlessService,
  createProcessor,
  createProjection,
  createStreamParser,
  isComplete,
  parserFor,
} from '../src/compat.js';
import type { Consent } from '../src/consent/index.js';
import { createDecoder, createRedactor, decode, GlassboxError, redactText, run, runToEnd } from '../src/index.js';
import { applyChanges, commandLine, requireAgent } from '../src/run/index.js';
import { startServer } from '../src/server/index.js';
import { initialState, selectConversation } from '../src/session/index.js';
import { createRecorder, keepRun, openHub, openStore, type Store } from '../src/store/index.js';
import { consentRows, createTextView } from '../src/text.js';
import { answer } from './fake-agent/lines.js';
import { play, scripted } from './fake-agent/play.js';
import { publicFace } from './support/public-face.js';

/** The whole of what a call takes, with one option too many. */
const wrong = <Options extends object>(options: Options): Options => Object.assign({ wrong: true }, options);
const request = wrong(scripted([]));
const right = scripted([]);
const consent: Consent = { title: '', facts: [], parts: [], always: [] };
const client = createClient({ fetch: async () => Response.json({}) });
const backend = createBackend('claude');
const handle = play(answer('x'));
const start = { runId: 'r', agent: 'claude', startedAt: 1 };
let store: Store;

const CALLS: Record<string, () => unknown> = {
  'run(request)': () => run(request),
  'run(defaults)': () => run(right, wrong({})),
  'runToEnd(request)': () => runToEnd(request),
  'runToEnd(defaults)': () => runToEnd(right, wrong({})),
  'commandLine(request)': () => commandLine(request),
  'commandLine(defaults)': () => commandLine(right, wrong({})),
  'createHeadlessService(defaults)': () => createHeadlessService(request),
  'RunHandle.say(options)': () => handle.say('x', wrong({})),
  'RunHandle.tap(options)': () => handle.tap(wrong({})),
  'RunHandle.approve(options)': () => handle.approve('q', wrong({})),
  'RunHandle.deny(options)': () => handle.deny('q', 'no', wrong({})),
  'RunHandle.decide(answer)': () => handle.decide('q', wrong({ type: 'deny' })),
  'applyChanges(changes)': () => applyChanges({}, wrong({})),
  'createRedactor(options)': () => createRedactor(wrong({})),
  'redactText(options)': () => redactText('x', wrong({})),
  'selectConversation(options)': () => selectConversation(initialState, wrong({})),
  'ConversationModel.approveToolUse(options)': () =>
    createConversation(() => Promise.reject(new Error('never started'))).approveToolUse('q', wrong({})),
  'decode(options)': () => decode([], wrong({ agent: 'claude' })),
  'createDecoder(options)': () => createDecoder('claude', wrong({})),
  'createStreamParser(options)': () => createStreamParser('claude', wrong({})),
  'createWireDecoder(options)': () => createWireDecoder([], wrong({})),
  'createBackend(config)': () => createBackend('claude', wrong({})),
  'Backend.run(request)': () => backend.run(wrong({ prompt: 'x' })),
  'Gateway.run(request)': () => createGateway([backend]).run('claude_code', wrong({ prompt: 'x' })),
  'capabilityIds(options)': () => capabilityIds(requireAgent('claude'), wrong({})),
  'createProjection(options)': () => createProjection(wrong({ agentKind: 'x', externalSandbox: false, timeoutMs: 0 })),
  'createFormatter(options)': () => createFormatter(wrong({ agentName: 'x' })),
  'isComplete(options)': () => isComplete('', '', wrong({})),
  'parserFor(options)': () => parserFor('claude', wrong({})),
  'createProcessor(options)': () => createProcessor('claude', wrong({ write: () => {}, now: () => 0 })),
  'createPrintOnlyProtocol(printed)': () => createPrintOnlyProtocol(createChronicle(), wrong({ read: () => true })),
  'toolTable(facts)': () => toolTable(wrong({})),
  'replacing(where)': () => replacing(wrong({ path: 'p', before: 'b', after: 'a' })),
  'replacingEach(where)': () => replacingEach('edits', wrong({ path: 'p', before: 'b', after: 'a' })),
  'testAgent(conformance)': () => testAgent(wrong({ agent: requireAgent('claude'), recordings: [] })),
  'consentRows(options)': () => consentRows(consent, wrong({ width: 80, color: false })),
  'createTextView(options)': () => createTextView(wrong({})),
  'Store.startRun(start)': () => store.startRun(wrong(start)),
  'Store.tail(options)': () => store.tail('r', wrong({})),
  'Store.list(query)': () => store.list(wrong({})),
  'Store.watch(options)': () => store.watch(wrong({})),
  'Store.search(query)': () => store.search(wrong({ text: 'x' })),
  'Store.decisions(query)': () => store.decisions(wrong({})),
  'Store.totals(query)': () => store.totals(wrong({ by: 'day' })),
  'Store.drift(query)': () => store.drift(wrong({})),
  'Store.instructions(options)': () => store.instructions('r', wrong({})),
  'Store.tell(options)': () => store.tell('r', { type: 'stop' }, { by: 'person' }, wrong({})),
  'Store.label(label)': () => store.label('s', wrong({})),
  'Store.prune(query)': () => store.prune(wrong({})),
  'createRecorder(options)': () => createRecorder(wrong({ store, start, onFailure: () => {} })),
  'keepRun(options)': () => keepRun(handle, wrong({ store })),
  'startServer(options)': () => startServer(wrong({ store })),
  'createClient(options)': () => createClient(wrong({})),
  'Client.sessions(query)': () => client.sessions(wrong({})),
  'Client.watchSessions(options)': () => client.watchSessions(wrong({})),
  'Client.start(request)': () => client.start(wrong({ agent: 'claude', prompt: 'x' })),
  'Client.events(options)': () => client.events('r', wrong({})),
  'Client.approve(request)': () => client.approve('r', 'q', wrong({})),
  'Client.deny(request)': () => client.deny('r', 'q', wrong({})),
  'Client.decide(answer)': () => client.decide('r', 'q', wrong({ type: 'approve' })),
  'Client.audit(query)': () => client.audit(wrong({})),
  'Client.jobs(query)': () => client.jobs(wrong({})),
  'Client.createToken(request)': () => client.createToken(wrong({ name: 'ci', scopes: [] })),
  'Client.postJob(request)': () => client.postJob(wrong({ agent: 'claude', prompt: 'x', project: 'shop' })),
  'Client.claimJob(request)': () =>
    client.claimJob(wrong({ name: 'w', labels: [], projects: [], agents: [], capacity: 1, busy: 0 })),
  'Client.tellJob(news)': () => client.tellJob('j', wrong({ type: 'begin', fence: 1, runId: 'r' })),
  'Client.search(query)': () => client.search(wrong({ text: 'x' })),
  'Client.decisions(query)': () => client.decisions(wrong({})),
  'Client.say(request)': () => client.say('s', wrong({ text: 'x' })),
  'Client.label(label)': () => client.label('s', wrong({})),
  'Client.changes(query)': () => client.changes('s', wrong({})),
  'Client.changeLines(query)': () => client.changeLines('s', wrong({})),
  'Client.planRewind(moment)': () => client.planRewind('s', wrong({ turn: 1 })),
  'Client.changeMakers(query)': () => client.changeMakers('s', wrong({})),
  'Client.comment(request)': () =>
    client.comment('s', wrong({ path: 'a', side: 'new', start: 1, end: 1, quote: [], text: 'x' })),
  'Client.rewindHunks(moment)': () => client.rewindHunks('s', 'f', wrong({ turn: 1 })),
  'Client.rewind(request)': () => client.rewind('s', wrong({ turn: 1, fingerprint: 'x' })),
  'Client.goOn(request)': () => client.goOn('s', wrong({})),
  'openHub(options)': () => openHub(wrong({ url: 'http://127.0.0.1:1', token: 't' })),
  'Client.startChoices(query)': () => client.startChoices(wrong({ agent: 'claude' })),
  'Client.findFiles(query)': () => client.findFiles(wrong({ text: 'x' })),
  'Client.cost(query)': () => client.cost(wrong({ by: 'day' })),
};

/** Nothing in them is optional, or they are reached only through others, so that the list below does not see them. */
const WHOLE: Record<string, () => unknown> = {
  'Client.answer(request)': () => client.answer('r', 'q', wrong({ answers: {} })),
  'AuditTable.list(query)': () => store.fleet?.audit.list(wrong({})),
  'JobTable.list(query)': () => store.fleet?.jobs.list(wrong({})),
  'a watchdog': () => run({ ...right, watchdog: wrong({}) }),
  'a guard': () => createDecoder('claude', { guard: wrong({}) }),
  'a rule': () => run({ ...right, rules: [wrong({ decision: 'deny', tool: 'Bash' })] }),
};

/** These are things that are said or kept, and no options: who is newer may know more of them. */
const DATA =
  /^(AgentEvent|Draft|Action|Agent|Partial<CommandRequest>|CommandRequest|WireEvent|WireBlock|StreamEvent|Message|Settings|Terms|Rule|Answer|Decider|Instruction|Reception|ApprovalRequest|Deed|Budget|Pick<Budget, .*>|JobHold|NewJob|NewToken|Store|Consent|Activity|Summary|Ledger|Usage|Partial<Record<ErrorCategory, string>>|Run)$/;

/** What is told to a chronicle are the facts of events. */
const TELLERS = ['Chronicle'];

describe('an option that a call does not have is refused', () => {
  beforeAll(async () => {
    store = await openStore(':memory:');
  });
  afterAll(async () => {
    handle.cancel();
    await Promise.all([store.close(), handle.completion]);
  });

  test.each(Object.entries({ ...CALLS, ...WHOLE }))('%s', async (_, call) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GlassboxError);
    expect(error).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('wrong') });
  });

  test('in every public call there is', () => {
    expect(
      Object.keys(CALLS)
        .filter((name) => !name.endsWith('(answer)'))
        .sort(),
    ).toEqual(callsWithOptions().sort());
  });

  test('and it says which is the nearest, or all where there are few', () => {
    expect(() => run({ ...right, ...{ timeoutMS: 5 } })).toThrow(
      'A run has no option "timeoutMS"; the nearest is "timeoutMs".',
    );
    expect(() => isComplete('', '', wrong({}))).toThrow('isComplete has no option "wrong"; it has match.');
  });

  test('a store is opened by its path alone', async () => {
    const options = { path: 'x' } as unknown as string;
    await expect(openStore(options)).rejects.toMatchObject({ code: 'invalid-request' });
  });
});

describe('the public face', () => {
  const { doors } = publicFace();

  test('the root has under 50 names', () => {
    const names = doors.find(({ name }) => name === 'glassbox')?.exports.map(({ name }) => name) ?? [];
    expect(names.length).toBeLessThan(50);
    expect(names).toEqual(
      expect.arrayContaining(['run', 'decode', 'createDecoder', 'AgentEvent', 'EventOf', 'GlassboxError']),
    );
  });

  test.each(doors)('$name: every value says in an editor what it is', ({ exports }) => {
    expect(exports.some(({ isValue }) => isValue)).toBe(true);
    expect(exports.filter(({ isValue, help }) => isValue && help === '').map(({ name }) => name)).toEqual([]);
  });

  test('a name means one thing, whichever door it comes through', () => {
    const places = new Map<string, Set<string>>();
    for (const { name, file, symbol } of doors.flatMap((door) => door.exports)) {
      places.set(name, (places.get(name) ?? new Set()).add(`${file} ${symbol.name}`));
    }
    expect([...places].filter(([, where]) => where.size > 1)).toEqual([]);
  });

  test('every door is an entry of the package, and the README tells of it', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
    expect(doors.map(({ name }) => name).sort()).toEqual(entries.map((entry) => entry.replace('.', 'glassbox')).sort());
    const readme = readFileSync('README.md', 'utf8');
    expect(doors.filter(({ name }) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
  });
});

/** Calls of the package, and of what its calls give back, that take an object of which something may be left out. */
function callsWithOptions(): string[] {
  const { doors, checker } = publicFace();
  const found = new Set<string>();

  const look = (name: string, type: ts.Type) => {
    for (const signature of type.getCallSignatures()) {
      for (const parameter of signature.parameters) {
        const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
        if (isOptions(given)) found.add(`${name}(${nameOf(parameter)})`);
      }
    }
  };
  const isOptions = (type: ts.Type): boolean =>
    !DATA.test(checker.typeToString(type)) &&
    (type.isUnion() ? type.types : [type]).some(
      (part) =>
        (part.flags & ts.TypeFlags.Object || part.isIntersection()) &&
        !DATA.test(checker.typeToString(part)) &&
        part.getCallSignatures().length === 0 &&
        !checker.isArrayLikeType(part) &&
        part.getProperties().some(({ flags }) => flags & ts.SymbolFlags.Optional),
    );
  // A parameter that is taken apart has no name of its own.
  const nameOf = ({ name }: ts.Symbol): string => (name.startsWith('__') ? 'options' : name);

  for (const { exports } of doors) {
    for (const { symbol: own, isValue } of exports) {
      if (!isValue) continue;
      const type = checker.getTypeOfSymbol(own);
      look(own.name, type);
      for (const signature of type.getCallSignatures()) {
        const given = checker.getReturnTypeOfSignature(signature);
        const awaited = checker.getAwaitedType(given) ?? given;
        const isOurs = awaited.symbol?.declarations?.some((node) => node.getSourceFile().fileName.includes('/src/'));
        for (const member of isOurs && !TELLERS.includes(awaited.symbol.name) ? awaited.getProperties() : [])
          look(`${awaited.symbol.name}.${member.name}`, checker.getTypeOfSymbol(member));
      }
    }
  }
  return [...found];
}
