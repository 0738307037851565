import { imageName } from './image.js';

/**
 * The values of the chart with the image of a release.
 * @param {string} values the text of values.yaml
 * @param {string | undefined} digest `sha256:...`, where it is known
 */
export function withImageInValues(values, digest) {
  const named = replaceOnce(values, /^( {2}repository: ).*$/m, `$1${imageName}`);
  return digest === undefined ? named : replaceOnce(named, /^( {2}digest: ).*$/m, `$1${digest}`);
}

/**
 * The base of the manifests with the image of a release: by digest, else by the version as its tag.
 * @param {string} kustomization the text of kustomization.yaml
 * @param {string} version
 * @param {string | undefined} digest `sha256:...`, where it is known
 */
export function withImageInBase(kustomization, version, digest) {
  const reference = digest === undefined ? `newTag: ${version}` : `digest: ${digest}`;
  return replaceOnce(
    kustomization,
    new RegExp(`^( {2}- name: ${imageName}\\n)(?: {4}\\w+: .*\\n)*`, 'm'),
    `$1    ${reference}\n`,
  );
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 * @param {string} replacement
 */
function replaceOnce(text, pattern, replacement) {
  if (!pattern.test(text)) throw new Error(`expected ${pattern} in the file, got no such line`);
  return text.replace(pattern, replacement);
}
