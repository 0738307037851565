import { join } from 'node:path';
import { root } from './sources.js';

/** The folder into which `npm run tools` builds. */
export const toolsFolder = join(root, 'node_modules', '.cache', 'meshprobe', 'bin');

/** The Go programs that the tests of deploy/ use, as the Go module proxy names them. */
export const goTools = {
  // Later versions of kustomize need Go 1.27.
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.18.6',
};
