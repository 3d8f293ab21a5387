import { describe, expect, it } from 'vitest';
import type { Program } from '../../src/agent/index.js';
import { findProgram, type Machine, shimTarget } from '../../src/run/process/find-program.js';

const program: Program = {
  names: ['fake'],
  install: 'npm i fake',
  searchDirs: ['~/.fake/local', '/opt/fake'],
  versionArgs: ['--version'],
  dropEnv: [],
  reservedFlags: [],
};

const npmShim = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\fake\\cli.js" %*
`;
const exeShim = '@ECHO off\r\n"%dp0%\\node_modules\\fake\\fake.exe"   %*\r\n';

function machine(files: Record<string, string>, facts: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    env: { PATH: '/usr/bin:/bin' },
    home: '/home/me',
    cwd: '/repo',
    node: '/node',
    isProgram: (file) => Promise.resolve(file in files),
    read: (file) => (file in files ? Promise.resolve(files[file] ?? '') : Promise.reject(new Error('ENOENT'))),
    ...facts,
  };
}

const windows: Partial<Machine> = {
  platform: 'win32',
  env: { Path: 'C:\\npm;C:\\bin' },
  home: 'C:\\Users\\me',
  cwd: 'C:\\repo',
  node: 'C:\\node.exe',
};

describe('finding the program', () => {
  it('LL-20 looks on PATH first, then where it is usually installed', async () => {
    expect(await find({ '/bin/fake': '', '/opt/fake/fake': '' })).toMatchObject({ file: '/bin/fake', dir: '/bin' });
    expect(await find({ '/home/me/.fake/local/fake': '' })).toMatchObject({ file: '/home/me/.fake/local/fake' });
    expect(await find({})).toEqual({ found: false });
  });

  it('takes a path as it is, relative to the working directory, and a name by searching', async () => {
    const files = { '/repo/bin/mine': '', '/bin/other': '' };
    expect(await find(files, 'bin/mine')).toMatchObject({ file: '/repo/bin/mine' });
    expect(await find(files, 'other')).toMatchObject({ file: '/bin/other' });
    expect(await find(files, './missing')).toEqual({ found: false });
  });

  it('S2-19 runs a script with this Node, on every system', async () => {
    const there = { '/repo/agent.mjs': 'x' };
    expect(await find(there, './agent.mjs')).toMatchObject({ file: '/node', before: ['/repo/agent.mjs'] });
    const onWindows = machine({ 'C:\\repo\\agent.js': 'x' }, windows);
    expect(await findProgram(program, '.\\agent.js', onWindows)).toMatchObject({ file: 'C:\\node.exe' });
    expect(await find({}, './agent.mjs')).toEqual({ found: false });
  });

  it('never searches the working directory, also when PATH says so', async () => {
    const env = { PATH: ':.:bin' };
    expect(await findProgram(program, undefined, machine({ fake: '', 'bin/fake': '' }, { env }))).toEqual({
      found: false,
    });
  });

  it('LL-37 on Windows takes the .exe, reads the launcher of npm, and refuses any other batch file', async () => {
    const on = (files: Record<string, string>) => findProgram(program, undefined, machine(files, windows));
    expect(await on({ 'C:\\bin\\fake.exe': '' })).toMatchObject({ file: 'C:\\bin\\fake.exe', before: [] });
    expect(await on({ 'C:\\npm\\fake.cmd': npmShim })).toMatchObject({
      file: 'C:\\node.exe',
      before: ['C:\\npm\\node_modules\\fake\\cli.js'],
    });
    expect(await on({ 'C:\\npm\\fake.cmd': exeShim })).toMatchObject({ file: 'C:\\npm\\node_modules\\fake\\fake.exe' });
    expect(await on({ 'C:\\npm\\fake.cmd': '@echo %*' })).toMatchObject({
      found: false,
      refused: expect.stringContaining('batch'),
    });
    expect(await on({ 'C:\\npm\\fake': '#!/bin/sh' })).toEqual({ found: false });
  });

  it('LL-37 a refused batch file does not hide a program further down PATH', async () => {
    const files = { 'C:\\npm\\fake.cmd': '@echo %*', 'C:\\bin\\fake.exe': '' };
    expect(await findProgram(program, undefined, machine(files, windows))).toMatchObject({ file: 'C:\\bin\\fake.exe' });
  });

  it.each([
    ['npm today', npmShim, 'node_modules\\fake\\cli.js'],
    ['npm long ago', '@"%~dp0\\node.exe"  "%~dp0\\..\\fake\\cli.js" %*', '..\\fake\\cli.js'],
    ['a native program', exeShim, 'node_modules\\fake\\fake.exe'],
    ['a shell script', '@"%~dp0\\sh.exe"  "%~dp0\\fake.sh" %*', undefined],
    ['anything else', '@echo %*', undefined],
  ])('reads a launcher: %s', (_, text, target) => {
    expect(shimTarget(text)).toBe(target);
  });
});

function find(files: Record<string, string>, chosen?: string) {
  return findProgram(program, chosen, machine(files));
}
