// `npm run tools`: builds Go programs for the tests of deploy/, and installs Python programs for
// the tests of the OpenAPI document. It skips programs that this machine has. If a program cannot
// be had, it prints the reason and succeeds, and the tests that need the program are skipped.
// `npm run tools -- kubernetes` builds all of Kubernetes' own programs too, which takes half an hour.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { goTools, toolsFolder } from './go-tools.js';
import { buildKubernetesTools, kubernetesVersion, whyNoKubernetes } from './kubernetes-tools.js';
import { pythonFolder, pythonTools, pythonToolsFolder } from './python-tools.js';

/** A package index that does not answer must not delay the tests for long. */
const pythonTimeoutMs = 300_000;

mkdirSync(toolsFolder, { recursive: true });
for (const [name, module] of Object.entries(goTools)) {
  if (existsSync(join(toolsFolder, name))) continue;
  process.stdout.write(`meshprobe: building ${module}\n`);
  const { status, error } = spawnSync('go', ['install', module], {
    env: { ...process.env, GOBIN: toolsFolder },
    // Go prints each module that it fetches.
    stdio: ['ignore', 'ignore', process.env['CI'] ? 'ignore' : 'inherit'],
  });
  if (status === 0) continue;
  const why = error === undefined ? `go install: exit code ${status}` : 'there is no go here';
  sayMissing(name, why);
}

if (process.argv.includes('kubernetes') && whyNoKubernetes() !== undefined) {
  process.stdout.write(`meshprobe: building Kubernetes ${kubernetesVersion} and CoreDNS\n`);
  const why = buildKubernetesTools();
  if (why !== undefined) sayMissing('Kubernetes', why);
}

const missing = Object.keys(pythonTools).filter(
  (name) => !existsSync(join(pythonToolsFolder, name)),
);
if (missing.length > 0) {
  const packages = Object.values(pythonTools);
  process.stdout.write(`meshprobe: installing ${packages.join(', ')}\n`);
  const why =
    runPython('python3', ['-m', 'venv', pythonFolder]) ??
    runPython(join(pythonToolsFolder, 'python3'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--retries',
      '1',
      '--timeout',
      '20',
      ...packages,
    ]);
  if (why !== undefined) for (const name of missing) sayMissing(name, why);
}

/**
 * Runs a Python program to its end. Returns the reason if it failed, else undefined.
 * @param {string} program
 * @param {readonly string[]} args
 */
function runPython(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: pythonTimeoutMs,
  });
  if (status === 0) return undefined;
  if (error && 'code' in error && error.code === 'ENOENT') return `there is no ${program} here`;
  if (error) return `${args[1]}: ${error.message}`;
  const [lastLine = ''] = `${stdout}\n${stderr}`.trim().split('\n').slice(-1);
  return `${args[1]}: exit code ${status}: ${lastLine}`;
}

/**
 * @param {string} name
 * @param {string} why
 */
function sayMissing(name, why) {
  process.stdout.write(`meshprobe: no ${name}: ${why}; the tests that need it are skipped\n`);
}
