// @ts-check
/**
 * A worker runs the tests of one mutant after the other in a process that keeps the test runner loaded. What turns for ever is ended by
 * the CPU that it took, what waits for ever by taking none: neither depends on what else the machine does.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Beyond several times what the longest test of a file takes when nothing is wrong. */
const SPINS_MS = 15_000;
const SPINS_TIMES = 4;
const UNKNOWN_MS = 20_000;

/** So many looks in a row at which nothing of it had worked, or wanted to. */
const IDLE_LOOKS = 8;
const LOOK_MS = 2000;
const IDLE_MS = 200;

/** Where /proc does not tell. */
const HANGS_LOOKS = 150;

/**
 * @typedef {import('./mutant-worker-process.mjs').Answer} Answer
 * @typedef {import('./mutant-worker-process.mjs').Question} Question
 * @typedef {{ ask: (question: Question, known?: Answer['durations']) => Promise<Answer>, end: () => void }} MutantWorker
 */

/**
 * @param {string} folder a scratch copy of the repository
 * @param {{ marks?: boolean, workers?: number }} [options] whether it is told which marks each test passed, and how many work at a time
 * @returns {MutantWorker}
 */
export function createMutantWorker(folder, { marks = false, workers = 1 } = {}) {
  const temporary = mkdtempSync(join(tmpdir(), 'glassbox-mutant-'));
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;

  return {
    async ask(question, known = {}) {
      child ??= await start();
      const answer = await hear(child, question, known);
      if (answer) return answer;
      child.kill('SIGKILL');
      child = undefined;
      killLeft(temporary);
      return { failed: ['it never ends'], unused: [], durations: {}, passed: {}, loading: [] };
    },
    end() {
      child?.kill('SIGKILL');
      killLeft(temporary);
      rmSync(temporary, { recursive: true, force: true });
    },
  };

  /** @returns {Promise<import('node:child_process').ChildProcess>} */
  function start() {
    return new Promise((resolve, reject) => {
      const worker = fork(join(folder, 'scripts/mutant-worker-process.mjs'), [], {
        cwd: folder,
        env: {
          ...process.env,
          TMPDIR: temporary,
          GLASSBOX_TESTS_NO_BUNDLE: '1',
          GLASSBOX_MUTANT_MARKS: marks ? '1' : '0',
          GLASSBOX_MUTANT_WORKERS: String(workers),
        },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      let trouble = '';
      worker.stderr?.setEncoding('utf8').on('data', (text) => (trouble = `${trouble}${text}`.slice(-4000)));
      worker.once('message', () => resolve(worker));
      worker.once('exit', (code) => reject(new Error(`the test runner ended with ${code}:\n${trouble}`)));
    });
  }

  /**
   * @param {import('node:child_process').ChildProcess} worker
   * @param {Question} question
   * @param {Answer['durations']} known
   * @returns {Promise<Answer | undefined>} nothing when it hangs
   */
  function hear(worker, question, known) {
    return new Promise((resolve) => {
      let allowed = Infinity;
      let hasMoved = true;
      let began = 0;
      let before = 0;
      let idle = 0;
      let looks = 0;

      const look = setInterval(() => {
        const { worked, waited, isKnown } = effort(temporary);
        if (hasMoved) began = worked;
        looks = hasMoved ? 0 : looks + 1;
        idle = hasMoved || worked + waited - before >= IDLE_MS ? 0 : idle + 1;
        before = worked + waited;
        hasMoved = false;
        if (isKnown ? idle >= IDLE_LOOKS || worked - began > allowed : looks >= HANGS_LOOKS) finish(undefined);
      }, LOOK_MS);

      /** @param {import('./mutant-worker-process.mjs').Report} report */
      const listen = (report) => {
        if ('answer' in report) return finish(report.answer);
        hasMoved = true;
        if (!('began' in report)) return;
        allowed = SPINS_MS + SPINS_TIMES * (known[report.began]?.longest ?? UNKNOWN_MS);
      };

      const leave = () => finish(undefined);

      /** @param {Answer | undefined} answer */
      const finish = (answer) => {
        clearInterval(look);
        worker.off('message', listen);
        worker.off('exit', leave);
        killLeft(temporary, worker.pid);
        resolve(answer);
      };

      worker.on('message', listen);
      worker.once('exit', leave);
      worker.send(question);
    });
  }
}

/**
 * What everything that was started with this temporary directory has worked, and waited for a core, in milliseconds.
 * @param {string} temporary
 */
function effort(temporary) {
  let worked = 0;
  let waited = 0;
  const pids = startedWith(temporary);
  for (const pid of pids) {
    for (const thread of entries(`/proc/${pid}/task`)) {
      const [ran = 0, queued = 0] = text(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
      worked += ran / 1e6;
      waited += queued / 1e6;
    }
  }
  return { worked, waited, isKnown: pids.length > 0 };
}

/**
 * Broken code may leave programs behind.
 * @param {string} temporary
 * @param {number} [but]
 */
function killLeft(temporary, but) {
  for (const pid of startedWith(temporary)) {
    if (pid === but) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It left by itself.
    }
  }
}

/** @param {string} temporary */
function startedWith(temporary) {
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name) && text(`/proc/${name}/environ`).includes(`TMPDIR=${temporary}`))
    .map(Number);
}

/** @param {string} folder */
function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file */
function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
