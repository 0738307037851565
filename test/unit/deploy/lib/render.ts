import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';

/** A Kubernetes object as it stands in a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; namespace?: string };
  readonly [field: string]: unknown;
}

const replacement = z.strictObject({
  source: z.strictObject({
    kind: z.string(),
    name: z.string(),
    fieldPath: z.string(),
    options: z.strictObject({ delimiter: z.string(), index: z.number() }).optional(),
  }),
  targets: z.array(
    z.strictObject({
      select: z.strictObject({
        group: z.string().optional(),
        kind: z.string(),
        name: z.string().optional(),
      }),
      fieldPaths: z.array(z.string()),
    }),
  ),
});
type Replacement = z.infer<typeof replacement>;

// What is not listed here is refused, so that no feature is used that this renderer does not know.
const kustomization = z.strictObject({
  apiVersion: z.string(),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
  images: z
    .array(
      z.strictObject({
        name: z.string(),
        newName: z.string().optional(),
        newTag: z.string().optional(),
      }),
    )
    .default([]),
  replacements: z.array(replacement).default([]),
});

const clusterScoped = ['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'PriorityClass'];

/**
 * Renders a kustomization as `kubectl kustomize` does, for the features that these manifests use.
 * @throws Error where it uses another one, or names what is not there
 */
export function render(folder: string, given: Manifest[] = []): Manifest[] {
  const file = kustomization.parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')));
  const manifests = [...given];
  for (const name of file.resources) {
    const path = join(folder, name);
    manifests.push(...(statSync(path).isDirectory() ? render(path) : readManifests(path)));
  }
  const withComponents = file.components.reduce(
    (before, name) => render(join(folder, name), before),
    manifests,
  );
  for (const { path } of file.patches) {
    for (const patch of readManifests(join(folder, path))) {
      merge(find(withComponents, patch.kind, patch.metadata.name), patch);
    }
  }
  for (const manifest of withComponents) {
    if (file.namespace !== undefined && !clusterScoped.includes(manifest.kind)) {
      manifest.metadata.namespace = file.namespace;
    }
    for (const image of file.images) setImage(manifest, image);
  }
  for (const one of file.replacements) replace(withComponents, one);
  return withComponents;
}

/** The objects of a YAML file. */
export function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { strict: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw new Error(`${path}: ${error.message}`);
    return document.toJS() as Manifest;
  });
}

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

function merge(into: object, patch: object): void {
  for (const [key, value] of Object.entries(patch) as [string, unknown][]) {
    const there = (into as Record<string, unknown>)[key];
    const areMaps = [there, value].every(
      (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
    );
    if (areMaps) merge(there as object, value as object);
    else (into as Record<string, unknown>)[key] = value;
  }
}

function setImage(
  manifest: Manifest,
  image: { name: string; newName?: string | undefined; newTag?: string | undefined },
): void {
  const containers = (at(manifest, 'spec.template.spec.containers') ?? []) as { image: string }[];
  for (const container of containers) {
    const [name] = container.image.split(':');
    if (name !== image.name) continue;
    container.image = `${image.newName ?? name}${image.newTag === undefined ? '' : `:${image.newTag}`}`;
  }
}

function replace(manifests: readonly Manifest[], { source, targets }: Replacement): void {
  const whole = String(at(find(manifests, source.kind, source.name), source.fieldPath));
  const { options } = source;
  const value = options ? whole.split(options.delimiter)[options.index] : whole;
  for (const { select, fieldPaths } of targets) {
    const chosen = manifests.filter(
      ({ kind, apiVersion, metadata }) =>
        kind === select.kind &&
        (select.name === undefined || metadata.name === select.name) &&
        (select.group === undefined || apiVersion.startsWith(`${select.group}/`)),
    );
    if (chosen.length === 0) throw new Error(`a replacement selects nothing: ${select.kind}`);
    for (const manifest of chosen) {
      for (const path of fieldPaths) {
        const cut = path.lastIndexOf('.');
        const parent = at(manifest, path.slice(0, cut)) as Record<string, unknown> | undefined;
        const key = path.slice(cut + 1);
        if (parent?.[key] === undefined) throw new Error(`${manifest.kind} has no ${path}`);
        // As kustomize does: the text is replaced, the type stays.
        parent[key] = typeof parent[key] === 'number' ? Number(value) : value;
      }
    }
  }
}
