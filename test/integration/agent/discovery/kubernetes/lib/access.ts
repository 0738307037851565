import { Agent } from 'node:http';
import type { KubeAccess } from '../../../../../../agent/discovery/kubernetes/kube-access.js';

/** Access to a double without a kubeconfig. */
export function accessTo(url: string, token: () => string): KubeAccess {
  const agent = new Agent({ keepAlive: true });
  return {
    forRequest: () =>
      Promise.resolve({
        server: new URL(url),
        agent,
        tls: {},
        headers: { authorization: `Bearer ${token()}` },
      }),
    check: () => Promise.resolve(),
    forget: () => undefined,
    close: () => agent.destroy(),
  };
}
