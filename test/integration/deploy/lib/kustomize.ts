import { parseManifests, type Manifest } from '../../../unit/deploy/lib/manifest.js';
import { findTool, runTool, whyNoTool, type Ran } from './tools.js';

/** Why kustomize cannot run here; undefined if it can. */
export function whyNoKustomize(): string | undefined {
  return findTool('kubectl') === undefined ? whyNoTool('kustomize') : undefined;
}

/** Runs `kustomize build`, or `kubectl kustomize` if there is no kustomize. */
export function build(folder: string): Ran {
  return findTool('kustomize') === undefined
    ? runTool('kubectl', ['kustomize', folder])
    : runTool('kustomize', ['build', folder]);
}

/**
 * The objects that `kubectl apply -k` would send.
 * @throws Error with the message of kustomize if it fails
 */
export function render(folder: string): Manifest[] {
  const { status, stdout, stderr } = build(folder);
  if (status !== 0) throw new Error(`kustomize build ${folder}: ${stderr}`);
  return parseManifests(stdout, folder);
}
