import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNpmRegistry, type NpmRegistry } from '../doubles/npm-registry.js';
import { useFolder } from '../resources/folder.js';
import { version } from '../resources/package-version.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(root, 'node_modules');
const notCloned = new Set(['.git', 'dist', 'node_modules']);

const folder = useFolder();
let tarball: string;
let registry: NpmRegistry;

/** A user's npm does not have the settings of the npm that runs the tests. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  npm_config_registry: registry.url,
  npm_config_cache: join(folder, 'cache'),
  npm_config_update_notifier: 'false',
});

/**
 * Each package gets a link of its own, so that a removal of the folder cannot touch the packages.
 */
function linkModules(folder: string): void {
  mkdirSync(join(folder, '.bin'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== '.bin') symlinkSync(join(modules, name), join(folder, name));
  }
}

/** Runs `npm pack` in a copy of the sources that was never built. */
async function pack(): Promise<string> {
  const clone = join(folder, 'clone');
  cpSync(root, clone, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !notCloned.has(path.slice(root.length)),
  });
  linkModules(join(clone, 'node_modules'));
  // npm then takes the packages as installed and downloads none.
  utimesSync(join(clone, 'package-lock.json'), 0, 0);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: clone,
    env: environment(),
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed?.filename ?? '');
}

async function install(name: string, ...flags: string[]): Promise<string> {
  const prefix = join(folder, name);
  const args = ['install', '--global', '--prefix', prefix, '--no-audit', ...flags, tarball];
  await run('npm', args, { cwd: folder, env: environment() });
  return prefix;
}

beforeAll(async () => {
  const natives = readdirSync(join(modules, '@koromix')).map((name) => `@koromix/${name}`);
  // net-ping cannot be installed here, as on a machine without a compiler.
  registry = await startNpmRegistry(modules, ['koffi', ...natives]);
  tarball = await pack();
}, 120_000);

afterAll(() => {
  registry.close();
});

describe.each([
  ['with install scripts', []],
  ['with --ignore-scripts', ['--ignore-scripts']],
])('the packed tarball, installed %s', (name, flags) => {
  let prefix: string;
  const program = (file: string) => join(prefix, 'bin', file);
  const inPackage = (...path: string[]) =>
    join(prefix, 'lib', 'node_modules', 'meshprobe', ...path);

  beforeAll(async () => {
    prefix = await install(name.replaceAll(' ', '-'), ...flags);
  }, 120_000);

  test('has both programs, which run from another folder', async () => {
    for (const file of ['meshprobe', 'meshprobe-agent']) {
      const { stdout } = await run(program(file), ['--version'], { cwd: tmpdir() });
      // The copy of the sources is no git checkout.
      expect(stdout).toBe(`${version} (commit unknown, Node.js ${process.version})\n`);
    }
  });

  test('has an agent whose native module can be loaded', async () => {
    const script = `import('koffi').then(({ default: koffi }) => console.log(typeof koffi.load(null)))`;
    const { stdout } = await run(process.execPath, ['--eval', script], { cwd: inPackage() });
    expect(stdout).toBe('object\n');
  });

  test('brings no package that is bundled already', () => {
    expect(readdirSync(inPackage('node_modules')).filter((file) => !file.startsWith('.'))).toEqual([
      '@koromix',
      'koffi',
    ]);
  });

  test('brings every file that its Markdown files link to, and the man pages', () => {
    const own = readdirSync(inPackage(), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.md') && !file.startsWith('node_modules'),
    );
    expect(own).toContain('README.md');
    const links = own.flatMap((file) =>
      [...readFileSync(inPackage(file), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => join(dirname(file), target)),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(inPackage(path)))).toEqual([]);
    expect(readdirSync(inPackage('deploy', 'systemd'))).toContain('meshprobe-agent.service');
    for (const page of ['man1/meshprobe.1', 'man8/meshprobe-agent.8']) {
      expect(readFileSync(join(prefix, 'share', 'man', page), 'utf8')).toMatch(/^\.TH /);
    }
  });

  test('brings the licences of what is bundled', () => {
    const notices = readFileSync(inPackage('dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const bundled of ['commander', 'hono', 'undici', 'zod', '@kubernetes/client-node']) {
      expect(notices).toMatch(new RegExp(`^${bundled} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(notices).toContain('Permission is hereby granted, free of charge');
  });
});

test('the registry is asked for nothing but the modules that cannot be bundled', () => {
  const asked = registry.asked.filter((name) => !name.startsWith('@koromix/'));
  expect(new Set(asked)).toEqual(new Set(['koffi', 'net-ping']));
});
