import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './lib/deployment.js';

interface Plugin {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly homepage: string;
    readonly shortDescription: string;
    readonly platforms: readonly { uri: string; sha256: string; bin: string }[];
  };
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const plugin = parse(read('deploy/krew/meshprobe.yaml')) as Plugin;
const packed = JSON.parse(read('package.json')) as {
  version: string;
  homepage: string;
  bin: Record<string, string>;
};

describe('the manifest of krew', () => {
  test('is of the form that krew takes', () => {
    expect(plugin).toMatchObject({
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'meshprobe' },
    });
    expect(plugin.spec.shortDescription.length).toBeLessThanOrEqual(50);
    expect(plugin.spec.shortDescription).not.toMatch(/\.$/);
    for (const { uri, sha256 } of plugin.spec.platforms) {
      expect(uri).toMatch(/^https:\/\/.*\.tar\.gz$/);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('names the version, the home and the program of the package', () => {
    const { spec } = plugin;
    expect([spec.version, spec.homepage]).toEqual([
      `v${packed.version}`,
      packed.homepage.replace(/#.*$/, ''),
    ]);
    for (const { uri, bin } of spec.platforms) {
      expect(packed.bin['kubectl-meshprobe']).toBe(`dist/cli/${bin}`);
      expect(uri).toContain(`/v${packed.version}/kubectl-meshprobe-${packed.version}.tar.gz`);
    }
  });
});
