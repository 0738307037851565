import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { corednsVersion, kubernetesFolder } from '../../../scripts/kubernetes-tools.js';
import { digestSources, root } from '../../../scripts/sources.js';
import { ensureBaseImage } from '../../image/lib/base-image.js';
import { buildah } from '../../image/lib/command.js';
import { images } from './image-names.js';
import { imagesFolder } from './place.js';

/** Files that the image has beside what the build takes. */
const otherFiles = ['deploy/Dockerfile', 'deploy/entrypoint.sh', 'LICENSE', '.npmrc'];

/**
 * Makes the images that are not there yet, as archives: meshprobe from deploy/Dockerfile, CoreDNS, and what holds the
 * namespaces of a pod. Archives of earlier sources are removed.
 * @param baseImage the image that the Dockerfile begins with; left out, one is made of Debian and Node's npm package
 * @param report gets one line for each image before it is made
 */
export function ensureImages(baseImage: string | undefined, report: (line: string) => void): void {
  mkdirSync(imagesFolder, { recursive: true });
  const wanted = new Map<string, () => void>([
    ['pause-1', makePause],
    [`coredns-${corednsVersion}`, makeCoreDns],
    [`meshprobe-${digest(baseImage)}`, () => makeMeshprobe(baseImage)],
  ]);
  for (const file of readdirSync(imagesFolder)) {
    if (!wanted.has(file.replace(/\.tar$/, ''))) rmSync(join(imagesFolder, file));
  }
  for (const [name, make] of wanted) {
    const archive = join(imagesFolder, `${name}.tar`);
    if (existsSync(archive)) continue;
    report(`making the image ${name}`);
    make();
    const image = imageOf(name);
    // An archive that is there is whole.
    buildah('push', '--quiet', image, `docker-archive:${archive}.new:${image}`);
    renameSync(`${archive}.new`, archive);
    buildah('rmi', image);
  }
}

function imageOf(name: string): string {
  if (name.startsWith('pause')) return images.pause;
  return name.startsWith('coredns') ? images.coredns : images.meshprobe;
}

/** What `deploy/Dockerfile` makes of the sources as they are. */
function makeMeshprobe(baseImage: string | undefined): void {
  buildah(
    ...['build', '--network=host', '--quiet', `--tag=${images.meshprobe}`],
    `--build-arg=NODE_IMAGE=${baseImage ?? ensureBaseImage()}`,
    ...[`--file=${join(root, 'deploy', 'Dockerfile')}`, root],
  );
}

function makePause(): void {
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, '/bin/busybox', '/bin/busybox');
  buildah('run', container, '--', '/bin/busybox', '--install', '-s', '/bin');
  buildah('config', '--cmd=["/bin/sleep","2147483647"]', '--entrypoint=[]', container);
  buildah('commit', '--rm', '--quiet', container, images.pause);
}

function makeCoreDns(): void {
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, join(kubernetesFolder, 'coredns'), '/coredns');
  buildah('config', '--entrypoint=["/coredns"]', '--cmd=', container);
  buildah('commit', '--rm', '--quiet', container, images.coredns);
}

function digest(baseImage = ''): string {
  const hash = createHash('sha256').update(baseImage).update(digestSources());
  for (const file of otherFiles) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
