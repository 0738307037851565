/**
 * What changed on a host. Rows have the place in this list, so it only grows at its end. A reader treats any other one as
 * `other`.
 */
export const hostChanges = [
  'rebooted',
  'agent-restarted',
  'address',
  'interface-mtu',
  'interface-down',
  'route',
  'sysctl',
  'nameservers',
  'kernel',
  'agent-version',
  'node-version',
  'labels',
  'taints',
  'cordoned',
  'cni-pod',
  'kube-proxy-pod',
] as const;
export type HostChange = (typeof hostChanges)[number];
