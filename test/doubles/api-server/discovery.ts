const verbs = ['create', 'delete', 'get', 'list'];

/** What is in a group, by kinds. */
export function resources(
  groupVersion: string,
  namespaced: readonly string[],
  cluster: readonly string[],
) {
  const one = (isNamespaced: boolean) => (kind: string) => {
    const singularName = kind.toLowerCase();
    return { name: `${singularName}s`, singularName, namespaced: isNamespaced, kind, verbs };
  };
  return {
    kind: 'APIResourceList',
    groupVersion,
    resources: [...namespaced.map(one(true)), ...cluster.map(one(false))],
  };
}

/** An API group as `/apis` has it. */
export function group(name: string) {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

/** What kubectl asks for to know what there is. */
export const discovery: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '32', gitVersion: 'v1.32.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: ['apps', 'rbac.authorization.k8s.io', 'authorization.k8s.io'].map(group),
  },
  '/api/v1': resources('v1', ['Pod', 'ServiceAccount', 'ConfigMap', 'Service'], ['Namespace']),
  '/apis/apps/v1': resources('apps/v1', ['DaemonSet'], []),
  '/apis/rbac.authorization.k8s.io/v1': resources(
    'rbac.authorization.k8s.io/v1',
    ['Role', 'RoleBinding'],
    ['ClusterRole', 'ClusterRoleBinding'],
  ),
  '/apis/authorization.k8s.io/v1': resources(
    'authorization.k8s.io/v1',
    [],
    ['SelfSubjectAccessReview'],
  ),
};
