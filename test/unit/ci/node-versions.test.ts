import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Package {
  readonly engines?: { readonly node?: string };
}

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Package>>;
};
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
/** As sentences name them: `20.19, 22.13, 24`. */
const inWords = engines.node.replaceAll(/\^|>=/g, '').replaceAll(' || ', ', ');

describe('the versions of Node that are promised', () => {
  test('can install every package, for `npm ci` refuses a version that one of them does not name', () => {
    const { subset } = createRequire(import.meta.url)('semver') as {
      subset: (range: string, of: string) => boolean;
    };
    const refusing = Object.entries(packages).filter(
      ([, one]) => one.engines?.node !== undefined && !subset(engines.node, one.engines.node),
    );
    expect(refusing).toEqual([]);
  });

  test('are those of the manual and of the manifest of krew', () => {
    const readme = read('README.md');
    expect(readme).toContain(`as root on each, with Node.js ${inWords} or newer`);
    expect(readme).toContain(`It needs Linux, Node.js (${inWords} or newer)`);
    expect(readme).toContain(`Linux alone, and Node.js ${inWords} or newer`);
    expect(read('docs/hosts.md')).toContain(`It needs Node.js ${inWords} or newer`);
    expect(read('docs/kubernetes.md')).toContain(`Node.js ${inWords} or later`);
    expect(read('deploy/krew/meshprobe.yaml')).toContain(`Node.js ${inWords} or later`);
  });
});
