import { reason, type Kubectl } from '../kubectl.js';
import { CannotRun } from './cannot-run.js';
import { inTurns } from './in-turns.js';

/** Something that this user must be allowed to do. */
export interface Right {
  readonly verb: string;
  /** Absent: the core group. */
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Only in the namespace of the check. */
  readonly isNamespaced?: boolean;
}

const rbac = 'rbac.authorization.k8s.io';
const inNamespace = { isNamespaced: true } as const;

/** All that a check does. Who gives a right must have it: nodes and pods are those of the agents. */
export const neededRights: readonly Right[] = [
  { verb: 'create', resource: 'namespaces' },
  { verb: 'get', resource: 'namespaces' },
  { verb: 'delete', resource: 'namespaces' },
  { verb: 'list', group: 'apps', resource: 'daemonsets' },
  { verb: 'list', resource: 'nodes' },
  { verb: 'watch', resource: 'nodes' },
  { verb: 'create', group: rbac, resource: 'clusterroles' },
  { verb: 'delete', group: rbac, resource: 'clusterroles' },
  { verb: 'create', group: rbac, resource: 'clusterrolebindings' },
  { verb: 'delete', group: rbac, resource: 'clusterrolebindings' },
  { verb: 'create', group: rbac, resource: 'roles', ...inNamespace },
  { verb: 'create', group: rbac, resource: 'rolebindings', ...inNamespace },
  { verb: 'create', resource: 'serviceaccounts', ...inNamespace },
  { verb: 'create', resource: 'configmaps', ...inNamespace },
  { verb: 'create', resource: 'services', ...inNamespace },
  { verb: 'create', group: 'apps', resource: 'daemonsets', ...inNamespace },
  { verb: 'list', resource: 'pods', ...inNamespace },
  { verb: 'watch', resource: 'pods', ...inNamespace },
  { verb: 'delete', resource: 'pods', ...inNamespace },
  { verb: 'create', resource: 'pods', subresource: 'exec', ...inNamespace },
  { verb: 'list', resource: 'events', ...inNamespace },
];

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/**
 * Asks the API server for each right, before anything is made.
 * @throws CannotRun that names the rights that are missing
 */
export async function askRights(kubectl: Kubectl, namespace: string): Promise<void> {
  const answers = await inTurns(neededRights, 4, async (right) =>
    (await isRightGiven(kubectl, right, namespace)) ? [] : [right],
  );
  const missing = answers.flat();
  if (missing.length === 0) return;
  const everywhere = missing.filter(({ isNamespaced }) => isNamespaced !== true);
  const inside = missing.filter(({ isNamespaced }) => isNamespaced === true);
  const texts = [
    ...(everywhere.length > 0 ? [everywhere.map(textOf).join(', ')] : []),
    ...(inside.length > 0 ? [`in namespace ${namespace}: ${inside.map(textOf).join(', ')}`] : []),
  ];
  throw new CannotRun(`this user may not ${texts.join('; ')}`);
}

async function isRightGiven(kubectl: Kubectl, right: Right, namespace: string): Promise<boolean> {
  const { isNamespaced = false, ...attributes } = right;
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...attributes, ...(isNamespaced && { namespace }) } },
  };
  const input = JSON.stringify(review);
  const { code, stdout, stderr } = await kubectl.run(['create', `--raw=${path}`, '-f', '-'], {
    input,
  });
  if (code !== 0) throw new CannotRun(reason(stderr));
  return allowed(stdout);
}

function allowed(text: string): boolean {
  try {
    const { status } = JSON.parse(text) as { status?: { allowed?: unknown } };
    if (typeof status?.allowed === 'boolean') return status.allowed;
  } catch {
    // Told below.
  }
  throw new CannotRun('expected a SelfSubjectAccessReview with its status, got something else');
}

function textOf({ verb, resource, subresource }: Right): string {
  return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
}
