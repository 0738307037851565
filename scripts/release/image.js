// `npm run release:image`: what an image of a release is called, and how it is built.

/** Where a release publishes its image and its chart. */
export const imageName = 'ghcr.io/meshprobe/meshprobe';
export const chartRegistry = 'oci://ghcr.io/meshprobe/charts';

/**
 * @typedef {object} ImageOptions
 * @property {string} version
 * @property {string} commit
 * @property {string} created RFC 3339
 * @property {{ description: string, homepage: string, license: string }} about of package.json
 */

/**
 * The labels by which registries and scanners know the image.
 * @param {ImageOptions} options
 * @returns {Record<string, string>}
 */
export function imageLabels({ version, commit, created, about }) {
  const of = (/** @type {string} */ name) => `org.opencontainers.image.${name}`;
  return {
    [of('title')]: 'meshprobe',
    [of('description')]: about.description,
    [of('url')]: about.homepage,
    [of('documentation')]: `${about.homepage}/tree/v${version}/docs`,
    [of('source')]: about.homepage,
    [of('licenses')]: about.license,
    [of('version')]: version,
    [of('revision')]: commit,
    [of('created')]: created,
  };
}

/**
 * The arguments of `docker` that build the image for one platform and push it, with its SBOM and
 * its provenance. Each platform is built on a machine of its own kind, and has a tag of its own.
 * @param {ImageOptions & { platform: string }} options
 */
export function buildArguments({ platform, ...options }) {
  const labels = Object.entries(imageLabels(options));
  return [
    ...['buildx', 'build', '--platform', platform],
    ...['--file', 'deploy/Dockerfile', '--build-arg', `COMMIT=${options.commit}`],
    ...['--sbom=true', '--provenance=mode=max', '--push'],
    ...labels.flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    ...['--tag', platformTag(options.version, platform), '.'],
  ];
}

/**
 * The arguments of `docker` that make one image of those of all platforms.
 * @param {string} version
 * @param {readonly string[]} platforms
 */
export function joinArguments(version, platforms) {
  return [
    ...['buildx', 'imagetools', 'create', '--tag', `${imageName}:${version}`],
    ...platforms.map((platform) => platformTag(version, platform)),
  ];
}

/**
 * @param {string} version
 * @param {string} platform
 */
function platformTag(version, platform) {
  return `${imageName}:${version}-${platform.replace('linux/', '')}`;
}
