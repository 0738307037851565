import { corednsVersion } from '../../../scripts/kubernetes-tools.js';

/** The images of the cluster, as its nodes have them. No node pulls any. */
export const images = {
  pause: 'localhost/pause:1',
  coredns: `localhost/coredns:${corednsVersion}`,
  meshprobe: 'localhost/meshprobe:cluster',
} as const;
