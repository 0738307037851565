import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The manifests of `deploy/kubernetes`, by their paths in that folder. */
export type Manifests = Readonly<Record<string, string>>;

export interface OverlayOptions {
  /** The namespace that is made. */
  readonly namespace: string;
  /** What the objects outside of the namespace are called, and the label by which all are found. */
  readonly instance: string;
  /** Undefined: that of the manifests. */
  readonly image: string | undefined;
  /** Cilium's own agent has the usual probe port. */
  readonly hasCilium: boolean;
}

/** Folders for `kubectl create -k`. */
export interface Overlay {
  readonly namespaceFolder: string;
  readonly objectsFolder: string;
  remove(): void;
}

export const managedBy = 'kubectl-meshprobe-check';
const ciliumPorts = 'cilium-ports.yaml';
const imageName = 'ghcr.io/meshprobe/meshprobe';

/**
 * Writes overlays of the manifests into a new folder. Nothing of a check outlives it or pushes other
 * pods away: there is no PriorityClass, and the socket is in the pod instead of on the host. Without the NetworkPolicy no
 * network needs a rule for echoes.
 */
export function writeOverlay(manifests: Manifests, options: OverlayOptions): Overlay {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-check-'));
  const files = {
    ...Object.fromEntries(
      Object.entries(manifests).map(([path, text]) => [join('kubernetes', path), text]),
    ),
    'namespace/kustomization.yaml': namespaceText(options),
    'namespace/namespace.yaml': manifests['base/namespace.yaml'] ?? '',
    'objects/kustomization.yaml': objectsText(options),
    'objects/adapt/kustomization.yaml': adaptText(options),
    // A kustomization reads patches of its own folder alone.
    [`objects/adapt/${ciliumPorts}`]: manifests['components/cilium/ports.yaml'] ?? '',
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return {
    namespaceFolder: join(folder, 'namespace'),
    objectsFolder: join(folder, 'objects'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function labelsText({ instance }: OverlayOptions): string {
  return `labels:
  - pairs:
      app.kubernetes.io/instance: ${instance}
      app.kubernetes.io/managed-by: ${managedBy}
    includeTemplates: true
`;
}

function namespaceText(options: OverlayOptions): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [namespace.yaml]
${labelsText(options)}patches:
  - target: { kind: Namespace }
    options: { allowNameChange: true }
    patch: |
      - { op: replace, path: /metadata/name, value: ${options.namespace} }
`;
}

function objectsText(options: OverlayOptions): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: ${options.namespace}
resources: [../kubernetes/base]
components: [adapt, ../kubernetes/components/ports]
${labelsText(options)}${imagesText(options.image)}`;
}

function imagesText(image: string | undefined): string {
  if (image === undefined) return '';
  const [name = '', digest] = image.split('@');
  const tagAt = name.lastIndexOf(':') > name.lastIndexOf('/') ? name.lastIndexOf(':') : name.length;
  const version =
    digest === undefined
      ? `newTag: ${JSON.stringify(name.slice(tagAt + 1) || 'latest')}`
      : `digest: ${digest}`;
  return `images:
  - name: ${imageName}
    newName: ${name.slice(0, tagAt)}
    ${version}
`;
}

function adaptText({ instance, hasCilium }: OverlayOptions): string {
  const removed = [
    ['v1', 'Namespace', 'meshprobe'],
    ['scheduling.k8s.io/v1', 'PriorityClass', 'meshprobe'],
    ['networking.k8s.io/v1', 'NetworkPolicy', 'meshprobe-endpoint'],
  ] as const;
  return `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
${hasCilium ? `  - path: ${ciliumPorts}\n` : ''}${removed
    .map(
      ([apiVersion, kind, name]) =>
        `  - patch: '{ "apiVersion": "${apiVersion}", "kind": "${kind}", "metadata": { "name": "${name}" }, "$patch": "delete" }'\n`,
    )
    .join('')}  - target: { kind: DaemonSet }
    patch: |
      - { op: remove, path: /spec/template/spec/priorityClassName }
  - patch: |
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: meshprobe }
      spec: { template: { spec: { volumes: [{ name: socket, emptyDir: {}, hostPath: null }] } } }
${['ClusterRole', 'ClusterRoleBinding']
  .map(
    (kind) => `  - target: { kind: ${kind} }
    options: { allowNameChange: true }
    patch: |
      - { op: replace, path: /metadata/name, value: ${instance} }
`,
  )
  .join('')}`;
}
