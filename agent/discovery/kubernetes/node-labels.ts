/** The labels of Node objects that are read. */
export const nodeLabels = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  /** Its kubelet sets it: `linux` or `windows`. */
  os: 'kubernetes.io/os',
} as const;
