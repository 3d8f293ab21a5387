import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent, Capabilities } from '../../src/agent/index.js';
import { AGENTS } from '../../src/agent/index.js';
import { type Extensions, readExtensions } from '../../src/envelope/extension.js';
import { capabilityIds } from '../../src/envelope/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const able = AGENTS.find((agent) => agent.name === 'claude') as Agent;
const workingDir = temporaryDirectory();
mkdirSync(path.join(workingDir, 'a'));
mkdirSync(path.join(workingDir, 'b'));
writeFileSync(path.join(workingDir, 'file'), '');

const read = (extensions: Extensions, allowExternalSandbox = true) =>
  readExtensions(extensions, {
    agentKind: able.kind,
    capabilities: new Set([...capabilityIds(able, { allowExternalSandbox }), 'backend.claude_code.exec.x']),
    workingDir,
  });

const NON_INTERACTIVE = 'agent_api.exec.non_interactive';
const SANDBOX = 'agent_api.exec.external_sandbox.v1';
const MODEL = 'agent_api.config.model.v1';
const DIRS = 'agent_api.exec.add_dirs.v1';
const RESUME = 'agent_api.session.resume.v1';
const FORK = 'agent_api.session.fork.v1';

describe('U-2.4 capability ids', () => {
  it('S2-09 of an agent that can do everything', () => {
    expect([...capabilityIds(able)].sort()).toEqual([
      'agent_api.artifacts.final_text.v1',
      'agent_api.config.model.v1',
      'agent_api.control.cancel.v1',
      'agent_api.events',
      'agent_api.events.live',
      'agent_api.exec.add_dirs.v1',
      'agent_api.exec.non_interactive',
      'agent_api.run',
      'agent_api.session.fork.v1',
      'agent_api.session.handle.v1',
      'agent_api.session.resume.v1',
      'agent_api.tools.results.v1',
      'agent_api.tools.structured.v1',
      'backend.claude_code.print_stream_json',
    ]);
  });

  it('leave out what an agent cannot do', () => {
    const poor = { ...able.capabilities, model: false, addDirs: false, continueLast: false } satisfies Capabilities;
    const ids = capabilityIds({ ...able, capabilities: poor });
    expect([MODEL, DIRS, RESUME, FORK].filter((id) => ids.has(id))).toEqual([]);
  });

  it('the dangerous one is there only where the host allows it', () => {
    expect(capabilityIds(able).has(SANDBOX)).toBe(false);
    expect(capabilityIds(able, { allowExternalSandbox: true }).has(SANDBOX)).toBe(true);
  });

  it.each(AGENTS.map((agent) => [agent.kind, agent] as const))('are well formed for %s', (kind, agent) => {
    expect(kind).toMatch(/^[a-z][a-z0-9_]*$/);
    for (const id of capabilityIds(agent)) expect(id).toMatch(/^(agent_api|backend\.[a-z0-9_]+)\.[a-z][a-z0-9_.-]*$/);
  });
});

describe('U-2.5 extensions become options of a run', () => {
  it.each<[string, Extensions, object]>([
    ['R-11 nothing: nobody is asked, what is not allowed is denied', {}, { permission: 'deny' }],
    ['non-interactive', { [NON_INTERACTIVE]: true }, { permission: 'deny' }],
    ['interactive', { [NON_INTERACTIVE]: false }, { permission: 'ask' }],
    ['external sandbox', { [SANDBOX]: true }, { permission: 'bypass' }],
    ['no external sandbox', { [SANDBOX]: false, [NON_INTERACTIVE]: false }, { permission: 'ask' }],
    ['a model, trimmed', { [MODEL]: '  opus\t' }, { permission: 'deny', model: 'opus' }],
    ['the longest model', { [MODEL]: 'é'.repeat(64) }, { permission: 'deny', model: 'é'.repeat(64) }],
    [
      'directories, resolved, once each, in order',
      { [DIRS]: { dirs: [' b ', './a/../b', path.join(workingDir, 'a'), '.'] } },
      { permission: 'deny', addDirs: [path.join(workingDir, 'b'), path.join(workingDir, 'a'), workingDir] },
    ],
    ['resume the last', { [RESUME]: { selector: 'last' } }, { permission: 'deny', resume: 'latest' }],
    ['resume by id', { [RESUME]: { selector: 'id', id: ' s1 ' } }, { permission: 'deny', resume: 's1' }],
    ['fork the last', { [FORK]: { selector: 'last' } }, { permission: 'deny', resume: 'latest', fork: true }],
    ['fork by id', { [FORK]: { selector: 'id', id: 's1' } }, { permission: 'deny', resume: 's1', fork: true }],
  ])('%s', (_, extensions, request) => {
    expect(read(extensions).request).toEqual(request);
  });

  const SECRET = 'hunter2-hunter2';
  it.each<[string, Extensions, string]>([
    ['non-interactive', { [NON_INTERACTIVE]: SECRET }, `invalid ${NON_INTERACTIVE}`],
    ['sandbox', { [SANDBOX]: 'true' }, `invalid ${SANDBOX}`],
    ['model of another type', { [MODEL]: 5 }, `invalid ${MODEL}`],
    ['empty model', { [MODEL]: '  ' }, `invalid ${MODEL}`],
    ['long model', { [MODEL]: SECRET.repeat(10) }, `invalid ${MODEL}`],
    ['LL-36 model like a flag', { [MODEL]: `--${SECRET}` }, `invalid ${MODEL}`],
    ['directories of another type', { [DIRS]: [SECRET] }, `invalid ${DIRS}`],
    ['directories with more', { [DIRS]: { dirs: ['a'], [SECRET]: 1 } }, `invalid ${DIRS}`],
    ['directories missing', { [DIRS]: {} }, `invalid ${DIRS}.dirs`],
    ['no directory', { [DIRS]: { dirs: [] } }, `invalid ${DIRS}.dirs`],
    ['too many directories', { [DIRS]: { dirs: Array(17).fill('a') } }, `invalid ${DIRS}.dirs`],
    ['a directory of another type', { [DIRS]: { dirs: ['a', 5] } }, `invalid ${DIRS}.dirs[1]`],
    ['an empty directory', { [DIRS]: { dirs: [' '] } }, `invalid ${DIRS}.dirs[0]`],
    ['a long directory', { [DIRS]: { dirs: ['a', './'.repeat(513)] } }, `invalid ${DIRS}.dirs[1]`],
    ['a directory that is not there', { [DIRS]: { dirs: [SECRET] } }, `invalid ${DIRS}.dirs[0]`],
    ['a directory that is a file', { [DIRS]: { dirs: ['file'] } }, `invalid ${DIRS}.dirs[0]`],
    ['no home is expanded', { [DIRS]: { dirs: ['~'] } }, `invalid ${DIRS}.dirs[0]`],
    ['selector missing', { [RESUME]: {} }, `invalid ${RESUME}`],
    ['selector unknown', { [RESUME]: { selector: SECRET } }, `invalid ${RESUME}`],
    ['id missing', { [FORK]: { selector: 'id' } }, `invalid ${FORK}`],
    ['id with last', { [RESUME]: { selector: 'last', id: SECRET } }, `invalid ${RESUME}`],
    ['selector with more', { [FORK]: { selector: 'last', [SECRET]: 1 } }, `invalid ${FORK}`],
    ['selector of another type', { [FORK]: null }, `invalid ${FORK}`],
    [
      'sandbox and interactive',
      { [SANDBOX]: true, [NON_INTERACTIVE]: false },
      `${SANDBOX} contradicts ${NON_INTERACTIVE}=false`,
    ],
    [
      'sandbox and policy',
      { [SANDBOX]: true, 'backend.claude_code.exec.x': 1 },
      `${SANDBOX} contradicts the backend's own exec policy`,
    ],
    [
      'resume and fork',
      { [RESUME]: { selector: 'last' }, [FORK]: { selector: 'last' } },
      `${RESUME} and ${FORK} exclude each other`,
    ],
  ])('refuses, never repeating the value: %s', (_, extensions, message) => {
    expect(() => read(extensions)).toThrow(expect.objectContaining({ code: 'invalid-request', message }));
    expect(message).not.toContain(SECRET);
  });

  it('U-2.3 an unknown key comes before a bad value', () => {
    const unknown = { [MODEL]: 5, 'agent_api.exec.unheard_of': 1 };
    expect(() => read(unknown)).toThrow(
      expect.objectContaining({
        code: 'unsupported-capability',
        message: 'unsupported capability for claude_code: agent_api.exec.unheard_of',
        cause: { agent_kind: 'claude_code', capability: 'agent_api.exec.unheard_of' },
      }),
    );
    expect(() => read({ [SANDBOX]: true }, false)).toThrow(expect.objectContaining({ code: 'unsupported-capability' }));
    expect(() => read({ [SECRET]: 1 })).toThrow('unsupported capability for claude_code: (not a key)');
  });
});
