import type { KubeIdentity } from './kubernetes/kube-access.js';
import type { EndpointSource } from './kubernetes/kubernetes-source.js';

/** One Kubernetes cluster and how to reach it. */
export interface ClusterConfig {
  readonly name: string;
  readonly identity: KubeIdentity;
}

/** Where the nodes come from, and all that this source needs. */
export type NodeSourceConfig =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'kubernetes';
      readonly clusters: readonly ClusterConfig[];
      readonly endpoints: EndpointSource;
      readonly excludeSelector: string | undefined;
    }
  | { readonly kind: 'cilium'; readonly socketPath: string };
