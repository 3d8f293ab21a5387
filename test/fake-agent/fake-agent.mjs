#!/usr/bin/env node
/**
 * A scripted stand-in for an agent: plays the steps in FAKE_AGENT_SCRIPT (JSON, or a file of it) and never sleeps for time,
 * it waits for a line, a file or a signal. With FAKE_AGENT_LOG it notes every line that it was told. With FAKE_AGENT_OBEYS, which is what it
 * says when it is interrupted, it also ends with its input, as real ones do; what its script waits for itself goes before.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

if (process.argv.includes('--version')) {
  console.log('9.9.9 (Fake Agent)');
  process.exit(0);
}

const given = process.env.FAKE_AGENT_SCRIPT ?? '[]';
const script = JSON.parse(given.startsWith('[') ? given : readFileSync(given, 'utf8'));
const heard = [];
const received = new Set();
const hearers = new Set();
let rest = '';
let inputEnded = false;

const noop = () => {};

/** Where `prlimit` is, glassbox marks whom it starts. */
const isMarked = () =>
  !existsSync('/usr/bin/prlimit') || /^Max file locks +\d/m.test(readFileSync('/proc/self/limits', 'utf8'));

/** The first key of a step is one of these. */
const steps = {
  /** A line: an object as JSON, a string as it is. `times` repeats it, `cut` writes it in so many pieces, `eol` ends it. */
  async say(line, { times = 1, cut = 1, eol = '\n' }) {
    const text = `${typeof line === 'string' ? line : JSON.stringify(line)}${eol}`;
    const size = Math.ceil(text.length / cut);
    for (let round = 0; round < times; round += 1) {
      for (let from = 0; from < text.length; from += size) await write(text.slice(from, from + size));
    }
  },
  /** A line of this many bytes. */
  oversize: (bytes) => write(`{"type":"${'x'.repeat(bytes)}"}\n`),
  /** Waits for a line on stdin that contains the text. */
  hear: (text) => {
    const hears = until(hearers, () => takeHeard(text));
    endWithInput();
    return hears;
  },
  /** Waits for the end of stdin. */
  hearEnd: () => until(hearers, () => inputEnded),
  closeInput: () => process.stdin.destroy(),
  /** Waits for a file to appear. */
  async file(path) {
    if (existsSync(path)) return;
    await new Promise((resolve) => {
      const watcher = watch(dirname(path), () => {
        if (!existsSync(path)) return;
        watcher.close();
        resolve();
      });
      if (existsSync(path)) {
        watcher.close();
        resolve();
      }
    });
  },
  /** Files where it works, by name; null removes one. */
  files(files) {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) rmSync(name, { force: true, recursive: true });
      else writeFileSync(name, content);
    }
  },
  touch: (path) => writeFileSync(path, String(process.pid)),
  /** Notes the environment and the arguments for a test to read. */
  tell: (path) =>
    writeFileSync(path, JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() })),
  stderr: (text, { times = 1 }) => new Promise((resolve) => process.stderr.write(text.repeat(times), () => resolve())),
  ignore: (signals) => {
    for (const signal of signals) process.on(signal, noop);
  },
  /** Waits for a signal, which it survives from the beginning. */
  signal: (signal) => until(hearers, () => received.has(signal)),
  /** Leaves a process behind; `pidFile` gets its number. `how`: in the group, in a session of its own, double-forked, with a clean environment, all of these. */
  async fork(how, { pidFile, keepStdout = false }) {
    const stdio = ['ignore', keepStdout ? 'inherit' : 'ignore', 'ignore'];
    const note = pidFile ? `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; ` : '';
    const sleeper = `${note}exec sleep 600`;
    if (how === 'group') spawn('sh', ['-c', sleeper], { stdio });
    if (how === 'stubborn') spawn('sh', ['-c', `trap "" TERM INT; ${note}while :; do sleep 600; done`], { stdio });
    if (how === 'session') spawn('sh', ['-c', sleeper], { stdio, detached: true }).unref();
    if (how === 'double')
      await exited(spawn('sh', ['-c', `setsid sh -c "${sleeper.replaceAll('$', '\\$')}" &`], { stdio }));
    // What hides before the mark is on its parent is found only when it has lived until the next look.
    if (how === 'hidden') while (!isMarked()) await new Promise(setImmediate);
    if (how === 'hidden')
      await exited(spawn('sh', ['-c', `env -i setsid /bin/sh -c "${sleeper.replaceAll('$', '\\$')}" &`], { stdio }));
    if (how === 'clean') spawn('env', ['-i', '/bin/sh', '-c', sleeper], { stdio, detached: true }).unref();
    if (pidFile) await steps.file(pidFile);
  },
  exit: (code) => process.exit(code),
  kill: (signal) => {
    process.kill(process.pid, signal);
    return steps.hang();
  },
  hang: () => new Promise(noop),
};

// A signal or a file to wait for does not keep Node alive.
setInterval(noop, 2 ** 30);
for (const { signal } of script.filter((step) => 'signal' in step)) {
  process.on(signal, () => {
    received.add(signal);
    wake();
  });
}
const isOwnEnd = ({ hear = '', ...step }) => hear.includes('interrupt') || 'hearEnd' in step || 'signal' in step;
const interrupted = script.some(isOwnEnd) ? undefined : process.env.FAKE_AGENT_OBEYS;
if (script.some((step) => 'hear' in step || 'hearEnd' in step)) listen();
for (const step of script) {
  const [name] = Object.keys(step);
  await steps[name](step[name], step);
}
process.exit(0);

function exited(child) {
  return new Promise((resolve) => child.on('exit', resolve));
}

function listen() {
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    rest += text;
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      heard.push(line);
      if (process.env.FAKE_AGENT_LOG) appendFileSync(process.env.FAKE_AGENT_LOG, `${line}\n`);
      if (interrupted !== undefined && line.includes('"subtype":"interrupt"')) void write(`${interrupted}\n`);
    }
    wake();
  });
  process.stdin.on('end', () => {
    inputEnded = true;
    wake();
    endWithInput();
  });
  process.stdin.on('error', noop);
}

/** Whoever waits for words then waits for ever. */
function endWithInput() {
  if (interrupted !== undefined && inputEnded && hearers.size > 0) process.exit(0);
}

function wake() {
  for (const check of hearers) check();
}

function takeHeard(text) {
  const index = heard.findIndex((line) => line.includes(text));
  if (index >= 0) heard.splice(index, 1);
  return index >= 0;
}

function until(waiters, isDone) {
  return new Promise((resolve) => {
    const check = () => {
      if (!isDone()) return;
      waiters.delete(check);
      resolve();
    };
    waiters.add(check);
    check();
  });
}

function write(text) {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
