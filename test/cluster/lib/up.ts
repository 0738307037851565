import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from '../../../scripts/go-tools.js';
import { kubernetesFolder } from '../../../scripts/kubernetes-tools.js';
import { root } from '../../../scripts/sources.js';
import { startControlPlane } from './control-plane.js';
import { ensureImages } from './images.js';
import { installChart, installCoreDns, makeNamespace, untilNodesAreReady } from './install.js';
import { makeFabric } from './network.js';
import { bootNode } from './node.js';
import { makeKeys } from './pki.js';
import { nodeOf, programsFolder, stateFolder } from './place.js';

/** A cluster cannot be started, for a reason that is not a bug. */
export class ClusterError extends Error {}

export interface UpOptions {
  readonly nodes: number;
  /** The image that deploy/Dockerfile begins with; undefined makes one. */
  readonly baseImage?: string;
  /** The values of the chart; undefined installs none. */
  readonly values?: readonly string[];
}

/**
 * Starts a cluster, and resolves when all that was asked for is ready.
 * @param report gets one line for each step
 * @throws ClusterError if there is one already
 */
export async function startCluster(
  { nodes, baseImage, values }: UpOptions,
  report: (line: string) => void,
): Promise<void> {
  if (existsSync(stateFolder)) {
    throw new ClusterError(
      `a cluster is there already, in ${stateFolder}: npm run cluster -- down removes it`,
    );
  }
  ensureImages(baseImage, report);
  mkdirSync(stateFolder, { recursive: true });
  makePrograms();
  report('starting the control plane');
  await makeKeys();
  await makeFabric();
  await startControlPlane();
  const all = Array.from({ length: nodes }, (_, index) => nodeOf(index + 1));
  report(`starting ${nodes} nodes`);
  for (const node of all) await bootNode(node);
  await untilNodesAreReady(nodes);
  report('starting CoreDNS');
  await installCoreDns();
  if (values === undefined) return;
  report('installing the chart');
  await makeNamespace();
  await installChart(values);
}

/** Kubernetes' programs by their names, helm, and the plug-in of kubectl. */
function makePrograms(): void {
  mkdirSync(programsFolder);
  for (const name of [
    ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
    ...['kubelet', 'kube-proxy', 'kubectl'],
  ]) {
    symlinkSync(join(kubernetesFolder, 'kubernetes'), join(programsFolder, name));
  }
  symlinkSync(join(toolsFolder, 'helm'), join(programsFolder, 'helm'));
  const plugin = join(programsFolder, 'kubectl-meshprobe');
  const program = join(root, 'dist', 'cli', 'kubectl-meshprobe.js');
  writeFileSync(plugin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(plugin, 0o755);
}
