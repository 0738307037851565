import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOptions } from '../../soak/options.js';

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy: { readonly matrix: { readonly node: readonly string[] } };
        readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
      }
    >
  >;
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
const workflow = parse(text) as Workflow;
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

describe('the workflow of the public CI', () => {
  test('may only read the repository', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('pins every action by its commit, with the version beside it', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  test('runs the same checks as everyone, from the oldest Node that is supported', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const [oldest] = /\d+\.\d+/.exec(engines.node) ?? [];
    expect(workflow.jobs['check']?.strategy.matrix.node).toEqual([oldest, '22', '24', '26']);
    expect(steps.some(({ run }) => run?.endsWith('.ci/run'))).toBe(true);
  });
});

describe('the nightly workflow', () => {
  const nightlyText = readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8');
  const nightly = parse(nightlyText) as Omit<Workflow, 'jobs'> & {
    readonly on: { readonly schedule: readonly { readonly cron: string }[] };
    readonly jobs: {
      readonly soak: Omit<Workflow['jobs'][string], 'strategy'> & {
        readonly 'timeout-minutes': number;
      };
    };
  };
  const soak = nightly.jobs.soak;
  const soakCommand = soak.steps
    .flatMap(({ run }) => run ?? [])
    .find((run) => run.includes('soak'));

  test('runs the soak for an hour each night, and may only read the repository', () => {
    expect(nightly.permissions).toEqual({ contents: 'read' });
    expect(nightly.on.schedule).toHaveLength(1);
    const [, line = ''] = /npm run soak -- (.*)/.exec(soakCommand ?? '') ?? [];
    const options = readOptions(line.replace('"$GITHUB_RUN_NUMBER"', '7').split(' '));
    expect(options.runMs).toBe(3_600_000);
    // Before it agents start, after it findings close.
    expect(soak['timeout-minutes']).toBeGreaterThan(60 + 15);
  });

  test('uses actions that the CI uses, pinned as there, and keeps the figures', () => {
    const used = nightlyText.match(/uses: .*/g) ?? [];
    const others = used.filter((line) => !text.includes(line));
    expect(others).toHaveLength(1);
    expect(others[0]).toMatch(/^uses: actions\/upload-artifact@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
