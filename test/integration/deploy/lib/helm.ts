import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../../../unit/deploy/lib/deployment.js';
import { parseManifests, type Manifest } from '../../../unit/deploy/lib/manifest.js';
import { runTool, type Ran } from './tools.js';

/** The folder of the chart. */
export const chart = join(root, 'deploy', 'helm', 'meshprobe');

/** Runs `helm template` with these values, or with the text of a values file. */
export function template(values: object | string, namespace = 'meshprobe', release = 'any'): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-values-'));
  try {
    const path = join(folder, 'values.yaml');
    writeFileSync(path, typeof values === 'string' ? values : stringify(values));
    const args = ['template', release, chart, `--namespace=${namespace}`, `--values=${path}`];
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
