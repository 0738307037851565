import { stringify } from 'yaml';

/** A kubeconfig that leads to a double. */
export function kubeconfigText(server: string, user: object = { token: 'good' }): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'double', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'agent', user }],
    contexts: [{ name: 'double', context: { cluster: 'double', user: 'agent' } }],
    'current-context': 'double',
  });
}
