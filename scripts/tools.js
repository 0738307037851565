// `npm run tools`: builds Go programs for the tests of deploy/, and installs Python programs for
// the tests of the OpenAPI document. It skips programs that this machine has. If a program cannot
// be had, it prints the reason and succeeds, and the tests that need the program are skipped.
// `npm run tools -- kubernetes` builds all of Kubernetes' own programs too, which takes half an hour.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { goTools, toolsFolder } from './go-tools.js';
import { buildKubernetesTools, kubernetesVersion, whyNoKubernetes } from './kubernetes-tools.js';
import { pythonFolder, pythonTools, pythonToolsFolder } from './python-tools.js';

/** A package index that does not answer must not delay the tests for long. */
const pythonTimeoutMs = 300_000;

const run = promisify(execFile);

const help = `Usage: npm run tools [-- kubernetes]

Builds kustomize and helm where Go is there, and installs Python programs, for the tests of deploy/ and of the OpenAPI
document. With kubernetes it builds Kubernetes ${kubernetesVersion} and CoreDNS too, which takes half an hour.
`;

const unknown = process.argv.slice(2).find((word) => word !== 'kubernetes');
if (unknown !== undefined) {
  const isHelp = ['--help', '-h'].includes(unknown);
  if (isHelp) process.stdout.write(help);
  else
    process.stderr.write(`tools: expected kubernetes or nothing, got ${JSON.stringify(unknown)}\n`);
  process.exit(isHelp ? 0 : 2);
}

mkdirSync(toolsFolder, { recursive: true });
// Go computes and pip mostly waits, so that they run at once.
await Promise.all([buildGoTools(), installPythonTools()]);

if (process.argv.includes('kubernetes') && whyNoKubernetes() !== undefined) {
  process.stdout.write(`meshprobe: building Kubernetes ${kubernetesVersion} and CoreDNS\n`);
  const why = buildKubernetesTools();
  if (why !== undefined) sayMissing('Kubernetes', why);
  else process.stdout.write(`meshprobe: Kubernetes ${kubernetesVersion} and CoreDNS are built\n`);
}

async function buildGoTools() {
  for (const [name, module] of Object.entries(goTools)) {
    if (existsSync(join(toolsFolder, name))) continue;
    process.stdout.write(`meshprobe: building ${module}\n`);
    const building = run('go', ['install', module], {
      env: { ...process.env, GOBIN: toolsFolder },
      maxBuffer: Infinity,
    });
    // Go prints each module that it fetches.
    if (!process.env['CI']) building.child.stderr?.pipe(process.stderr);
    await building.catch((error) => sayMissing(name, whyFailed('go', 'go install', error)));
  }
}

async function installPythonTools() {
  const missing = Object.keys(pythonTools).filter(
    (name) => !existsSync(join(pythonToolsFolder, name)),
  );
  if (missing.length === 0) return;
  const packages = Object.values(pythonTools);
  process.stdout.write(`meshprobe: installing ${packages.join(', ')}\n`);
  const quietly = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '20'];
  const why =
    (await runPython('python3', 'venv', pythonFolder)) ??
    (await runPython(
      join(pythonToolsFolder, 'python3'),
      'pip',
      'install',
      ...quietly,
      ...packages,
    ));
  if (why !== undefined) for (const name of missing) sayMissing(name, why);
}

/**
 * Runs a module of Python to its end. Returns the reason if it failed, else undefined.
 * @param {string} program
 * @param {string} module
 * @param {readonly string[]} args
 */
async function runPython(program, module, ...args) {
  return run(program, ['-m', module, ...args], { timeout: pythonTimeoutMs }).then(
    () => undefined,
    (error) => whyFailed(program, module, error),
  );
}

/**
 * The reason of a program's failure, in a line.
 * @param {string} program
 * @param {string} part what of the program was run
 * @param {import('node:child_process').ExecFileException} error
 */
function whyFailed(program, part, { code, killed, stdout, stderr }) {
  if (code === 'ENOENT') return `there is no ${program} here`;
  if (killed) return `${part}: it had not ended after ${pythonTimeoutMs / 1000} s`;
  const [lastLine = ''] = `${stdout}\n${stderr}`.trim().split('\n').slice(-1);
  return `${part}: exit code ${code}: ${lastLine}`;
}

/**
 * @param {string} name
 * @param {string} why
 */
function sayMissing(name, why) {
  process.stdout.write(`meshprobe: no ${name}: ${why}; the tests that need it are skipped\n`);
}
