import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { agentForCommand, agentNamed, detectAgent, outputFlags } from '../../src/decode/index.js';

describe('S1-13 the agent of a command', () => {
  const commands: [command: string, agent: string | undefined][] = [
    ['claude', 'claude'],
    ['/usr/local/bin/claude', 'claude'],
    ['./claude', 'claude'],
    ['Claude', 'claude'],
    ['claude.exe', 'claude'],
    ['C:\\Users\\me\\bin\\Claude.EXE', 'claude'],
    ['C:/Users/me/bin/claude.exe', 'claude'],
    ['claude.exe.exe', undefined],
    ['/opt/claude/run', undefined],
    ['claudette', undefined],
    ['unknown', undefined],
    ['', undefined],
  ];
  test.each(commands)('%j is %s', (command, agent) => {
    expect(agentForCommand(command)?.name).toBe(agent);
  });

  test('S1-15 every agent is found by each of its programs', () => {
    for (const agent of AGENTS) {
      for (const name of agent.program.names) expect(agentForCommand(`/bin/${name}`)?.name).toBe(agent.name);
    }
  });
});

describe('S1-14 flags that make a program print its stream', () => {
  test('with the mandatory --verbose (LL-02)', () => {
    expect(outputFlags('claude')).toEqual(['--output-format', 'stream-json', '--verbose']);
  });

  test('none for a program that is not known', () => {
    expect(outputFlags('unknown')).toEqual([]);
    expect(outputFlags('')).toEqual([]);
  });

  test('belong to the caller', () => {
    outputFlags('claude').push('--changed');
    expect(outputFlags('claude')).toHaveLength(3);
  });
});

test('an agent is found by its name, exactly', () => {
  expect(agentNamed('claude')?.title).toBe('Claude Code');
  expect(agentNamed('Claude')).toBeUndefined();
  expect(agentNamed('toString')).toBeUndefined();
});

describe('the agent of a stream', () => {
  const first = { type: 'system', subtype: 'init', claude_code_version: '2.1.325', session_id: 's' };

  test('is recognised from lines and from values', () => {
    expect(detectAgent([JSON.stringify(first)])).toBe('claude');
    expect(detectAgent([first])).toBe('claude');
    expect(detectAgent(['', 'warning: noise', '{"half":', JSON.stringify(first)])).toBe('claude');
  });

  test.each([[[]], [['hello']], [['{"some":"json"}', 5, null]]])('is nobody’s: %j', (lines) => {
    expect(detectAgent(lines)).toBeUndefined();
  });
});
