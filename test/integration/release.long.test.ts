import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { currentCommit } from '../../scripts/commit.js';
import { about } from '../../scripts/release/about.js';
import { writeArchive } from '../../scripts/release/archive.js';
import { sha256Of } from '../../scripts/release/checksums.js';
import { imageName } from '../../scripts/release/image.js';
import { findTool } from '../../scripts/release/tools.js';
import { useFolder } from '../resources/folder.js';

const root = join(import.meta.dirname, '../..');
const { version } = about;
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const image = `${imageName}@${digest}`;
const folder = useFolder();
let out: string;
let said: string;

function release(...args: string[]) {
  return spawnSync('npm', ['run', '--silent', 'release', '--', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
}

/** The names in an archive. */
const listOf = (name: string) =>
  execFileSync('tar', ['--list', '--file', join(out, name)], { encoding: 'utf8' })
    .trim()
    .split('\n');
const textIn = (name: string, path: string) =>
  execFileSync('tar', ['--extract', '--to-stdout', '--file', join(out, name), path], {
    encoding: 'utf8',
  });

beforeAll(() => {
  out = join(folder, 'out');
  const { status, stdout, stderr } = release('--dry-run', '--image-digest', digest, '--out', out);
  said = stdout;
  if (status !== 0) throw new Error(stderr);
}, 180_000);

describe('a dry run of a release makes', () => {
  test('every artifact, or says why not', () => {
    const made = readdirSync(out);
    const always = ['RELEASE-NOTES.md', 'SHA256SUMS', `meshprobe-${version}.tgz`].concat(
      `meshprobe-${version}.cdx.json`,
      ['kubernetes', 'man', 'systemd'].map((name) => `meshprobe-${name}-${version}.tar.gz`),
    );
    expect(made).toEqual(expect.arrayContaining(always));
    const sometimes: Record<string, string> = {
      'the chart': `meshprobe-chart-${version}.tgz`,
      'the manifests in one file': `meshprobe-cilium-${version}.yaml`,
    };
    for (const [what, name] of Object.entries(sometimes)) {
      expect(made.includes(name), what).toBe(!said.includes(`left out: ${what}: `));
    }
  });

  test('checksums of all of them, which sha256sum accepts', () => {
    const args = ['--check', '--strict', '--quiet', 'SHA256SUMS'];
    expect(execFileSync('sha256sum', args, { cwd: out, encoding: 'utf8' })).toBe('');
    const summed = readFileSync(join(out, 'SHA256SUMS'), 'utf8').match(/ {2}\S+/g) ?? [];
    const names = summed.map((name) => name.trim());
    expect([...names, 'SHA256SUMS'].sort()).toEqual(readdirSync(out).sort());
  });

  test('a package whose programs say the commit that was packed', () => {
    const unpacked = join(folder, 'package');
    mkdirSync(unpacked);
    execFileSync('tar', ['-xf', join(out, `meshprobe-${version}.tgz`), '-C', unpacked]);
    const program = join(unpacked, 'package/dist/cli/main.js');
    expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toBe(
      `${version} (commit ${currentCommit()}, Node.js ${process.version})\n`,
    );
    const { repository } = JSON.parse(
      readFileSync(join(unpacked, 'package/package.json'), 'utf8'),
    ) as { repository: { url: string } };
    expect(repository.url).toBe(`git+${about.homepage}.git`);
  });

  test('an SBOM with what is bundled and with what is installed', () => {
    const bom = JSON.parse(readFileSync(join(out, `meshprobe-${version}.cdx.json`), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['commander', 'hono', 'undici', 'zod', 'koffi']));
    expect(names).not.toContain('eslint');
    for (const { purl, version } of bom.components) expect(purl).toContain(version);
  });

  test('manifests that name the image by its digest', () => {
    const archive = `meshprobe-kubernetes-${version}.tar.gz`;
    expect(listOf(archive)).toContain('deploy/kubernetes/cilium/kustomization.yaml');
    const base = textIn(archive, 'deploy/kubernetes/base/kustomization.yaml');
    expect((parse(base) as { images: unknown }).images).toEqual([{ name: imageName, digest }]);
  });

  test('a file of manifests for each network', ({ skip }) => {
    skip(findTool('kustomize') === undefined, 'no kustomize here: `npm run tools` builds it');
    for (const name of ['meshprobe', 'meshprobe-cilium', 'meshprobe-calico']) {
      const text = readFileSync(join(out, `${name}-${version}.yaml`), 'utf8');
      expect(imagesOf(text), name).toEqual([image, image]);
    }
  });

  test('a chart that names the image by its digest', ({ skip }) => {
    const helm = findTool('helm');
    skip(helm === undefined, 'no helm here: `npm run tools` builds it');
    const chart = join(out, `meshprobe-chart-${version}.tgz`);
    const text = execFileSync(helm ?? '', ['template', 'x', chart], { encoding: 'utf8' });
    expect(imagesOf(text)).toEqual([image, image]);
    const shown = execFileSync(helm ?? '', ['show', 'chart', chart], { encoding: 'utf8' });
    expect(parse(shown)).toMatchObject({ name: 'meshprobe', version, appVersion: version });
  });

  test('archives of the units and of the man pages', () => {
    expect(listOf(`meshprobe-systemd-${version}.tar.gz`)).toEqual(
      expect.arrayContaining(['LICENSE', 'hosts.md', 'systemd/meshprobe-agent.service']),
    );
    expect(listOf(`meshprobe-man-${version}.tar.gz`)).toContain('man/meshprobe-agent.8');
  });

  test('an archive of the plug-in of kubectl that runs, and the manifest of krew for it', () => {
    const name = `kubectl-meshprobe-${version}.tar.gz`;
    const unpacked = join(folder, 'plug-in');
    mkdirSync(unpacked);
    execFileSync('tar', ['-xf', join(out, name), '-C', unpacked]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const program = join(unpacked, 'kubectl-meshprobe.js');
    const { status, stdout, stderr } = spawnSync(program, ['--help'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('kubectl meshprobe');
    // This one loads what stands beside the program.
    const check = spawnSync(program, ['check', '--help'], { encoding: 'utf8' });
    expect([check.status, check.stderr]).toEqual([0, '']);
    const text = readFileSync(join(out, 'krew-meshprobe.yaml'), 'utf8');
    const { spec } = parse(text) as {
      spec: { version: string; platforms: { uri: string; sha256: string; bin: string }[] };
    };
    expect(spec.version).toBe(`v${version}`);
    for (const { uri, sha256, bin } of spec.platforms) {
      expect(uri).toBe(`${about.homepage}/releases/download/v${version}/${name}`);
      expect(sha256).toBe(sha256Of(join(out, name)));
      expect(existsSync(join(unpacked, bin)), bin).toBe(true);
    }
  });

  test('the notes of the changelog', () => {
    const notes = readFileSync(join(out, 'RELEASE-NOTES.md'), 'utf8');
    expect(notes).toMatch(/^### \w+\n/);
    expect(notes).not.toMatch(/^## /m);
  });
});

test('the manifests of the checkout stay as they were', () => {
  const path = join(root, 'deploy/kubernetes/base/kustomization.yaml');
  expect(readFileSync(path, 'utf8')).not.toContain(digest);
});

test('an archive is the same for the same files, whenever they were written', () => {
  const files = join(folder, 'files');
  mkdirSync(files);
  const [first, second] = ['first', 'second'].map((name, index) => {
    writeFileSync(join(files, 'a'), 'text', { mode: 0o600 });
    utimesSync(join(files, 'a'), index, index);
    const path = join(folder, `${name}.tar.gz`);
    writeArchive(path, { 'there/files': files, LICENSE: join(root, 'LICENSE') }, 1_000_000_000);
    return readFileSync(path);
  });
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  const args = ['--list', '--verbose', '--file', join(folder, 'first.tar.gz')];
  const env = { ...process.env, TZ: 'UTC' };
  const listed = execFileSync('tar', args, { encoding: 'utf8', env });
  expect(listed).toMatch(/^-rw-r--r-- 0\/0 +4 2001-09-09 01:46 there\/files\/a$/m);
});

test('a folder with files in it is refused', () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine'), '');
  const { status, stderr } = release('--dry-run', '--out', full);
  expect([status, stderr]).toEqual([1, expect.stringContaining('expected an empty folder')]);
  expect(readdirSync(full)).toEqual(['mine']);
});

test('a tag that is not that of the version is refused before anything is made', () => {
  const none = join(folder, 'none');
  const { status, stderr } = release('--tag', 'v99.0.0', '--out', none);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`expected v${version}`)]);
});

/** The images of agent and endpoint. */
function imagesOf(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const { spec } = (document.toJS() ?? {}) as {
      spec?: { template?: { spec?: { containers?: { image: string }[] } } };
    };
    return spec?.template?.spec?.containers?.map((one) => one.image) ?? [];
  });
}
