/** A window with a terminal in it: shows what its program prints, and is closed by killing it, as a person does with the window's own button. */
import { spawn } from '@lydell/node-pty';

const [file, ...args] = process.argv.slice(2);
const terminal = spawn(file, args, { cols: 120, rows: 40, env: process.env });
process.stdout.write(`pid ${terminal.pid}\n`);
terminal.onData((data) => process.stdout.write(data));
