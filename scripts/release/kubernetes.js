import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../sources.js';
import { about } from './about.js';
import { writeArchive } from './archive.js';
import { withImageInBase, withImageInValues } from './manifests.js';
import { runProgram } from './run-program.js';
import { findTool } from './tools.js';

const { version } = about;

/**
 * Packs chart and manifests with the image of the release in them. The checkout stays as it is.
 * @param {string} folder
 * @param {string | undefined} imageDigest
 * @param {number} time of the packed files, in seconds since the epoch
 * @returns {string[]} what could not be made here, and why
 */
export function packKubernetes(folder, imageDigest, time) {
  const stage = mkdtempSync(join(tmpdir(), 'meshprobe-release-'));
  try {
    const deploy = join(stage, 'deploy');
    cpSync(join(root, 'deploy'), deploy, { recursive: true });
    edit(join(deploy, 'helm/meshprobe/values.yaml'), (text) =>
      withImageInValues(text, imageDigest),
    );
    edit(join(deploy, 'kubernetes/base/kustomization.yaml'), (text) =>
      withImageInBase(text, version, imageDigest),
    );
    const parts = ['kubernetes', 'alerts', 'grafana'].map((name) => `deploy/${name}`);
    const files = Object.fromEntries(parts.map((part) => [part, join(stage, part)]));
    writeArchive(join(folder, `meshprobe-kubernetes-${version}.tar.gz`), files, time);
    return [...packChart(stage, folder), ...buildManifests(join(deploy, 'kubernetes'), folder)];
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * @param {string} stage
 * @param {string} folder
 * @returns {string[]}
 */
function packChart(stage, folder) {
  const helm = findTool('helm');
  if (helm === undefined) return ['the chart: no helm here (npm run tools builds it)'];
  const versions = ['--version', version, '--app-version', version];
  runProgram(helm, [
    ...['package', join(stage, 'deploy/helm/meshprobe'), ...versions, '--destination', stage],
  ]);
  // Helm's own name for it is that of the npm package.
  const packed = readFileSync(join(stage, `meshprobe-${version}.tgz`));
  writeFileSync(join(folder, `meshprobe-chart-${version}.tgz`), packed);
  return [];
}

/**
 * One file for each variant, for `kubectl apply --filename URL`.
 * @param {string} variants
 * @param {string} folder
 * @returns {string[]}
 */
function buildManifests(variants, folder) {
  const kustomize = findTool('kustomize');
  if (kustomize === undefined) {
    return ['the manifests in one file: no kustomize here (npm run tools builds it)'];
  }
  for (const variant of ['', 'cilium', 'calico']) {
    const name = ['meshprobe', variant].filter(Boolean).join('-');
    const text = runProgram(kustomize, ['build', join(variants, variant)]);
    writeFileSync(join(folder, `${name}-${version}.yaml`), text);
  }
  return [];
}

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
function edit(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
