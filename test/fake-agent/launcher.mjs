/** A launcher that starts the fake agent and keeps signals to itself. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
const agent = fileURLToPath(new URL('fake-agent.mjs', import.meta.url));
const child = spawn(process.execPath, [agent, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
