import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../agent/config/config.js';
import { agentEnvironment } from '../../unit/deploy/lib/deployment.js';
import { parseManifests } from '../../unit/deploy/lib/manifest.js';
import { chart, template } from './lib/helm.js';
import { mistakesIn } from './lib/openapi.js';
import { whyNoTool } from './lib/tools.js';

const reason = whyNoTool('helm');
beforeEach(({ skip }) => skip(reason !== undefined, reason));

const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object;

/** The keys of each value and of each mapping around it. */
function pathsIn(mapping: object): string[][] {
  return Object.entries(mapping).flatMap(([key, value]: [string, unknown]) => {
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[key], ...(isMapping ? pathsIn(value).map((rest) => [key, ...rest]) : [])];
  });
}

const nullAt = (path: readonly string[]): object =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null) as object;

test.each(pathsIn(values).map((path) => [path.join('.'), path] as const))(
  'with %s null the chart renders valid objects, or says by name what is missing',
  (_, path) => {
    const { status, stdout, stderr } = template(nullAt(path));
    if (status !== 0) {
      const parent = path.length === 1 ? '' : `/${path.slice(0, -1).join('/')}`;
      expect(stderr).toContain(`at '${parent}': missing property '${path.at(-1) ?? ''}'`);
      return;
    }
    const manifests = parseManifests(stdout, 'helm template');
    expect(manifests.flatMap(mistakesIn)).toEqual([]);
    expect(() => loadConfig({}, agentEnvironment(manifests))).not.toThrow();
  },
);
