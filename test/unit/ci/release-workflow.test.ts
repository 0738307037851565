import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartRegistry, imageName } from '../../../scripts/release/image.js';

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { platform: string }[] } };
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: object;
  }[];
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const ci = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
const workflow = parse(text) as {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
};
const { check, image, publish } = workflow.jobs;
const runs = Object.values(workflow.jobs).flatMap(({ steps }) =>
  steps.flatMap(({ run }) => run ?? []),
);

describe('the workflow of a release', () => {
  test('runs on a tag of a version, after the checks', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    expect(check?.steps.at(-1)?.run).toContain('.ci/run');
    expect([image?.needs, publish?.needs]).toEqual(['check', 'image']);
  });

  test('may write only what each job publishes', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(check?.permissions).toBeUndefined();
    expect(image?.permissions).toEqual({ contents: 'read', packages: 'write' });
    expect(publish?.permissions).toEqual({
      contents: 'write',
      packages: 'write',
      'id-token': 'write',
    });
  });

  test('uses only actions that the CI uses, pinned as there', () => {
    const used = text.match(/uses: .*/g) ?? [];
    expect(used.length).toBeGreaterThan(5);
    for (const line of used) expect(ci).toContain(line);
    const checkouts = Object.values(workflow.jobs).map(({ steps }) => steps[0]?.with);
    for (const given of checkouts) expect(given).toEqual({ 'persist-credentials': false });
  });

  test('builds the image for both platforms, and joins these', () => {
    const platforms = image?.strategy?.matrix.include.map(({ platform }) => platform) ?? [];
    expect(platforms).toEqual(['linux/amd64', 'linux/arm64']);
    expect(runs.join('\n')).toContain(`--join ${platforms.join(',')} `);
    expect(text).toContain(`"${imageName}:`);
    expect(text).toContain(`${chartRegistry}\n`);
  });

  test('publishes the package with provenance, and the image by its digest', () => {
    expect(runs.find((run) => run.startsWith('npm publish'))).toContain('--provenance');
    expect(runs.find((run) => run.startsWith('npm run release --'))).toContain('--image-digest');
  });

  test('runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = runs.flatMap((run) =>
      [...run.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name),
    );
    expect(named).toContain('release');
    for (const name of named) {
      const [, file = ''] = /^node (\S+)$/.exec(scripts[name] ?? '') ?? [];
      expect(existsSync(join(root, file)), name).toBe(file !== '');
    }
  });

  test('puts nothing that a tag could choose into a command line', () => {
    for (const run of runs) expect(run).not.toContain('${{');
  });
});
