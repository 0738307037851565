import { at, find, type Manifest } from './manifest.js';

interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
  };
}

/** The command line and environment that the kubelet starts. */
export interface ContainerStart {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The only container of a DaemonSet, not validated. */
export function containerOf(daemonSet: Manifest): Record<string, unknown> {
  const containers = at(daemonSet, 'spec.template.spec.containers') as Record<string, unknown>[];
  const [only] = containers;
  if (only === undefined || containers.length > 1) throw new Error('expected one container');
  return only;
}

/**
 * Builds the command line and the environment as the kubelet does. It resolves ConfigMaps, fields
 * of the pod, and `$(NAME)` in values and arguments.
 * @param fields the pod's own values, by field path
 * @throws Error if a name in the manifests does not exist
 */
export function startOf(
  daemonSet: Manifest,
  manifests: readonly Manifest[],
  fields: Readonly<Record<string, string>>,
): ContainerStart {
  const container = containerOf(daemonSet);
  const configMap = (name: string) =>
    find(manifests, 'ConfigMap', name)['data'] as Record<string, string>;
  const need = (value: string | undefined, what: string): string => {
    if (value === undefined) throw new Error(`expected a value for ${what}, got nothing`);
    return value;
  };
  const env: Record<string, string> = {};
  const links = serviceLinks(daemonSet, manifests);
  const expand = (text: string) =>
    text.replace(/\$\(([^)]+)\)/g, (_, name: string) =>
      need(env[name] ?? links[name], `$(${name})`),
    );
  const envFrom = (container['envFrom'] ?? []) as { configMapRef: { name: string } }[];
  for (const { configMapRef } of envFrom) Object.assign(env, configMap(configMapRef.name));
  for (const { name, value, valueFrom } of (container['env'] ?? []) as EnvVar[]) {
    const { fieldRef, configMapKeyRef: key } = valueFrom ?? {};
    if (fieldRef) env[name] = need(fields[fieldRef.fieldPath], fieldRef.fieldPath);
    else if (key) env[name] = need(configMap(key.name)[key.key], `${key.name}.${key.key}`);
    else env[name] = expand(need(value, name));
  }
  const words = [container['command'], container['args'] ?? []].flat() as string[];
  return { command: words.map(expand), env };
}

/** The variables by which the kubelet tells pods of the Services of their namespace. */
function serviceLinks(
  daemonSet: Manifest,
  manifests: readonly Manifest[],
): Readonly<Record<string, string>> {
  if (at(daemonSet, 'spec.template.spec.enableServiceLinks') !== true) return {};
  const links: Record<string, string> = {};
  for (const { kind, metadata, spec } of manifests) {
    if (kind !== 'Service' || at(spec, 'clusterIP') === 'None') continue;
    const prefix = metadata.name.toUpperCase().replaceAll('-', '_');
    links[`${prefix}_SERVICE_HOST`] = '10.96.0.40';
    links[`${prefix}_SERVICE_PORT`] = String(at(spec, 'ports.0.port'));
  }
  return links;
}
