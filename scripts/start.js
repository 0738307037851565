// `npm start`: installs and builds what is missing, then runs the local mesh in this process.
import process from 'node:process';
import { ensureReady } from './ready.js';

try {
  ensureReady();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
const program = '../dist/mesh/main.js';
await import(program);
