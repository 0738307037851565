import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { about } from '../../../../scripts/release/about.js';
import { releaseNotes } from '../../../../scripts/release/changelog.js';
import { buildArguments, imageName, joinArguments } from '../../../../scripts/release/image.js';
import { krewManifest } from '../../../../scripts/release/kubectl-plugin.js';
import { withImageInBase, withImageInValues } from '../../../../scripts/release/manifests.js';
import { checkTag, readOptions } from '../../../../scripts/release/options.js';
import { packageBom } from '../../../../scripts/release/sbom.js';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the options of a release', () => {
  test('are a dry run or a tag', () => {
    expect(readOptions(['--dry-run'])).toMatchObject({ isDryRun: true, folder: 'release' });
    expect(readOptions(['--tag', 'v1.2.3', '--image-digest', digest])).toMatchObject({
      tag: 'v1.2.3',
      imageDigest: digest,
    });
    expect(readOptions(['--help'])).toBe('help');
  });

  test.each([
    [[], 'got neither'],
    [['--dry-run', '--tag', 'v1'], 'got both'],
    [['--dry-run', '--image-digest', 'sha256:12'], 'got "sha256:12"'],
    [['--dry-run', '--image-digest', `${digest}\n    evil: yes`], 'got "sha256:'],
    [['--dry-run', '--out', ''], 'expected a folder'],
    [['--dry-run', '--publish'], "Unknown option '--publish'"],
    [['--dry-run', 'v1.2.3'], 'Unexpected argument'],
  ])('%j is refused', (argv, words) => {
    expect(() => readOptions(argv)).toThrow(words);
  });

  test('a tag must be that of the version, in a clean checkout', () => {
    expect(() => checkTag('v1.2.3', '1.2.3', '0123456789ab')).not.toThrow();
    expect(() => checkTag('1.2.3', '1.2.3', '0123456789ab')).toThrow('expected v1.2.3');
    expect(() => checkTag('v1.2.4', '1.2.3', '0123456789ab')).toThrow('got "v1.2.4"');
    expect(() => checkTag('v1.2.3', '1.2.3', '0123456789ab-dirty')).toThrow('clean');
    expect(() => checkTag('v1.2.3', '1.2.3', 'unknown')).toThrow('clean');
  });
});

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- New\n\n## [0.2.0] - 2026-01-31\n\n### Added\n\n- Old\n';
  test('are the section of its version', () => {
    expect(releaseNotes(changelog, '0.2.0')).toBe('### Added\n\n- Old\n');
    expect(releaseNotes(changelog, 'Unreleased')).toBe('- New\n');
  });

  test('are refused if there is no such section, or nothing in it', () => {
    expect(() => releaseNotes(changelog, '0.2')).toThrow('[0.2]');
    expect(() => releaseNotes('## [1.0.0]\n\n## [0.9.0]\n\n- x\n', '1.0.0')).toThrow('[1.0.0]');
  });

  test('of the next release are there', () => {
    expect(releaseNotes(read('CHANGELOG.md'), 'Unreleased')).toContain('### Added');
  });
});

describe('the image of a release', () => {
  test('is named in the chart, by digest if that is known', () => {
    const values = read('deploy/helm/meshprobe/values.yaml');
    const { image } = parse(values) as { image: object };
    expect(parse(withImageInValues(values, undefined))).toEqual({
      ...(parse(values) as object),
      image: { ...image, repository: imageName },
    });
    expect(parse(withImageInValues(values, digest))).toEqual({
      ...(parse(values) as object),
      image: { ...image, repository: imageName, digest },
    });
    expect(() => withImageInValues('image: {}\n', digest)).toThrow('expected');
  });

  test('is named in the manifests, by digest if that is known, else by its version', () => {
    const base = read('deploy/kubernetes/base/kustomization.yaml');
    const imagesOf = (text: string) => (parse(text) as { images: unknown }).images;
    const name = { name: imageName };
    expect(imagesOf(withImageInBase(base, '1.2.3', undefined))).toEqual([
      { ...name, newTag: '1.2.3' },
    ]);
    const pinned = withImageInBase(base, '1.2.3', digest);
    expect(imagesOf(pinned)).toEqual([{ ...name, digest }]);
    expect(imagesOf(withImageInBase(pinned, '1.2.3', digest))).toEqual([{ ...name, digest }]);
  });

  test('is built with its SBOM, its provenance and the labels of OCI', () => {
    const options = { version: '1.2.3', commit: '0123456789ab', created: '2026-01-31T00:00:00Z' };
    const args = buildArguments({ ...options, about, platform: 'linux/arm64' });
    expect(args).toEqual(
      expect.arrayContaining(['--sbom=true', '--provenance=mode=max', '--push']),
    );
    expect(args.slice(args.indexOf('--tag'))).toEqual(['--tag', `${imageName}:1.2.3-arm64`, '.']);
    expect(args).toContain('COMMIT=0123456789ab');
    const labels = args.filter((_, index) => args[index - 1] === '--label');
    expect(labels).toContain(`org.opencontainers.image.source=${about.homepage}`);
    expect(labels).toContain('org.opencontainers.image.version=1.2.3');
    expect(labels).toContain('org.opencontainers.image.revision=0123456789ab');
    expect(labels).toContain('org.opencontainers.image.licenses=Apache-2.0');
    expect(read('deploy/Dockerfile')).toContain('ARG COMMIT');
  });

  test('is made of those of all platforms', () => {
    expect(joinArguments('1.2.3', ['linux/amd64', 'linux/arm64']).slice(3)).toEqual([
      ...['--tag', `${imageName}:1.2.3`],
      ...[`${imageName}:1.2.3-amd64`, `${imageName}:1.2.3-arm64`],
    ]);
  });
});

describe('the SBOM of the package', () => {
  const component = (name: string) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    scope: 'optional',
    properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
  });
  const bom = {
    metadata: { component: { ...component('meshprobe'), name: 'some-folder' } },
    components: ['@a/bundled', 'eslint', 'koffi', '@a/native'].map(component),
    dependencies: [
      { ref: 'meshprobe@1.0.0', dependsOn: ['@a/bundled@1.0.0', 'eslint@1.0.0', 'koffi@1.0.0'] },
      { ref: 'koffi@1.0.0', dependsOn: ['@a/native@1.0.0'] },
    ],
  };
  const of = { name: 'meshprobe', dependencies: { koffi: '1.0.0' }, optionalDependencies: {} };

  test('has what is bundled and what is installed, and no tool', () => {
    const made = packageBom(bom, 'Heading.\n\n@a/bundled 1.0.0 (MIT)\n\nText\n', of);
    expect(made.metadata.component.name).toBe('meshprobe');
    expect(made.components.map(({ name, scope }) => [name, scope])).toEqual([
      ['@a/bundled', 'required'],
      ['koffi', 'optional'],
      ['@a/native', 'optional'],
    ]);
    expect(made.dependencies[0]?.dependsOn).toEqual(['@a/bundled@1.0.0', 'koffi@1.0.0']);
  });

  test('is refused if the lock file does not have what is bundled', () => {
    expect(() => packageBom(bom, 'gone 1.0.0 (MIT)\n', of)).toThrow('gone@1.0.0');
    expect(() => packageBom(bom, '', of)).toThrow('expected the bundled packages');
  });
});

test('the manifest of krew names the archive and its checksum', () => {
  const text = 'spec:\n  version: v0\n  platforms:\n    - uri: x\n      sha256: y\n      bin: z\n';
  const made = krewManifest(text, { uri: 'https://example.com/a.tar.gz', sha256: 'abc' });
  expect(parse(made)).toEqual({
    spec: {
      version: `v${about.version}`,
      platforms: [{ uri: 'https://example.com/a.tar.gz', sha256: 'abc', bin: 'z' }],
    },
  });
  expect(() => krewManifest('spec: {}\n', { uri: 'x', sha256: 'y' })).toThrow('version');
});
