// `npm run tools`: builds with Go what the tests of deploy/ use and this machine lacks. Where there is
// no Go, or a module cannot be fetched, it says so and succeeds: those tests are skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { goTools, toolsFolder } from './go-tools.js';

mkdirSync(toolsFolder, { recursive: true });
for (const [name, module] of Object.entries(goTools)) {
  if (existsSync(join(toolsFolder, name))) continue;
  process.stdout.write(`meshprobe: building ${module}\n`);
  const { status, error } = spawnSync('go', ['install', module], {
    env: { ...process.env, GOBIN: toolsFolder },
    // Go names each module that it fetches.
    stdio: ['ignore', 'ignore', process.env['CI'] ? 'ignore' : 'inherit'],
  });
  if (status === 0) continue;
  const why = error === undefined ? `go install: exit code ${status}` : 'there is no go here';
  process.stdout.write(`meshprobe: no ${name}: ${why}; the tests that need it are skipped\n`);
}
