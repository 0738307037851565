import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '../../../unit/deploy/lib/manifest.js';

/** What stands at a path in one rendering and not, or not so, in the other. */
export type Differences = Readonly<Record<string, unknown>>;

/** Where an object or a field is missing. */
export const gone = null;

/**
 * How the objects of a chart differ from those of kustomize: by path, such as
 * `DaemonSet meshprobe spec.template.spec.priorityClassName`, what the chart has there.
 */
export function differences(kustomized: readonly Manifest[], charted: readonly Manifest[]) {
  const found: Record<string, unknown> = {};
  compare(byName(kustomized), byName(charted), [], found);
  return Object.fromEntries(
    Object.entries(found).map(([path, value]) => [path.replace('.', ' '), value]),
  );
}

function compare(a: unknown, b: unknown, at: string[], found: Record<string, unknown>): void {
  if (isDeepStrictEqual(a, b)) return;
  if (!isMapping(a) || !isMapping(b)) {
    found[at.join('.')] = b === undefined ? gone : b;
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    compare(a[key], b[key], [...at, key], found);
  }
}

function byName(manifests: readonly Manifest[]): Record<string, unknown> {
  return Object.fromEntries(
    manifests.map((one) => [
      `${one.kind} ${one.metadata.name}`.replaceAll('.', '_'),
      withoutOrder(withoutMarks(one)),
    ]),
  );
}

const marks = /^(helm\.sh\/chart|app\.kubernetes\.io\/(instance|version|managed-by))$/;

/** Without what says which release the objects belong to. Kustomize has no releases. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !marks.test(key) && key !== 'checksum/settings')
      .map(([key, inner]) => [key, withoutMarks(inner)]),
  );
}

/** Lists of named things as mappings, whose order has no meaning. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map(withoutOrder);
    const named = items.filter(isNamed);
    if (items.length === 0 || named.length < items.length) return items;
    return Object.fromEntries(named.map(({ name, ...rest }) => [name, rest]));
  }
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutOrder(one)]));
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNamed(value: unknown): value is { name: string } {
  return isMapping(value) && typeof value['name'] === 'string';
}
