import { reason, type Kubectl } from '../kubectl.js';
import { CannotRun } from './cannot-run.js';

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

/**
 * Asks the API server for each right, before anything is made.
 * @throws CannotRun that names the rights that are missing
 */
export async function askRights(kubectl: Kubectl, namespace: string): Promise<void> {
  const answers = await reviewsOf(kubectl, namespace);
  const missing = neededRights.filter((_, at) => answers[at] === 'false');
  if (missing.length === 0) return;
  const everywhere = missing.filter(({ isNamespaced }) => isNamespaced !== true);
  const inside = missing.filter(({ isNamespaced }) => isNamespaced === true);
  const texts = [
    ...(everywhere.length > 0 ? [everywhere.map(textOf).join(', ')] : []),
    ...(inside.length > 0 ? [`in namespace ${namespace}: ${inside.map(textOf).join(', ')}`] : []),
  ];
  throw new CannotRun(`this user may not ${texts.join('; ')}`);
}

/** `true` or `false` for each needed right. One kubectl asks for all: starting it takes longer than an answer. */
async function reviewsOf(kubectl: Kubectl, namespace: string): Promise<string[]> {
  const items = neededRights.map(({ isNamespaced = false, ...attributes }) => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...attributes, ...(isNamespaced && { namespace }) } },
  }));
  const { code, stdout, stderr } = await kubectl.run(
    ['create', '--validate=false', '-o', 'jsonpath={.status.allowed}{"\\n"}', '-f', '-'],
    { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) },
  );
  if (code !== 0) throw new CannotRun(reason(stderr));
  const answers = stdout.trim().split(/\s+/);
  if (answers.length !== items.length || answers.some((one) => !/^(true|false)$/.test(one)))
    throw new CannotRun('expected a SelfSubjectAccessReview with its status, got something else');
  return answers;
}

function textOf({ verb, resource, subresource }: Right): string {
  return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
}
