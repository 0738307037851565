import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../../../unit/deploy/lib/deployment.js';
import { parseManifests, type Manifest } from '../../../unit/deploy/lib/manifest.js';
import { runTool, type Ran } from './tools.js';

/** The folder of the chart. */
export const chart = join(root, 'deploy', 'helm', 'meshprobe');

/** Runs `helm template` with these values, for a release that is called `any`. */
export function template(values: object, namespace = 'meshprobe'): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-values-'));
  try {
    const path = join(folder, 'values.yaml');
    writeFileSync(path, stringify(values));
    const args = ['template', 'any', chart, `--namespace=${namespace}`, `--values=${path}`];
    return runTool('helm', args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The objects that helm would send.
 * @throws Error with the message of helm if it fails
 */
export function renderChart(values: object, namespace?: string): Manifest[] {
  const { status, stdout, stderr } = template(values, namespace);
  if (status !== 0) throw new Error(stderr);
  return parseManifests(stdout, 'helm template');
}
