import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../unit/deploy/lib/deployment.js';
import { render } from './kustomize.js';
import type { Manifest } from '../../../unit/deploy/lib/manifest.js';

/**
 * Writes a kustomize overlay of the base.
 * @param folder the overlay's folder; it gets a link to deploy/
 * @param components the folders of the components in deploy/
 * @param more additional lines of the kustomization
 * @returns the overlay's folder
 */
export function writeOverlay(
  folder: string,
  components: readonly string[],
  more: readonly string[] = [],
  resource = 'kubernetes/base',
): string {
  const link = join(folder, 'deploy');
  if (!existsSync(link)) symlinkSync(join(root, 'deploy'), link);
  const overlay = join(folder, 'overlay');
  mkdirSync(overlay, { recursive: true });
  writeFileSync(
    join(overlay, 'kustomization.yaml'),
    [
      'apiVersion: kustomize.config.k8s.io/v1beta1',
      'kind: Kustomization',
      `resources: [../deploy/${resource}]`,
      `components: [${components.map((path) => `../deploy/${path}`).join(', ')}]`,
      ...more,
    ].join('\n'),
  );
  return overlay;
}

/** @see writeOverlay */
export function renderOverlay(folder: string, components: readonly string[]): Manifest[] {
  return render(writeOverlay(folder, components));
}
