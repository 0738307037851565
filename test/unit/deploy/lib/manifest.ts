import { parseAllDocuments } from 'yaml';

/** A Kubernetes object of a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/**
 * The objects of a YAML text. Empty documents are left out.
 * @throws Error with the first mistake of the text
 */
export function parseManifests(text: string, source: string): Manifest[] {
  return parseAllDocuments(text, { strict: true }).flatMap((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw new Error(`${source}: ${error.message}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** @throws Error unless there is exactly one such object */
export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`expected one ${kind} ${name}, got ${found.length}`);
  }
  return only;
}

/** The value at a path such as `spec.ports.0.port`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
