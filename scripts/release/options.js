import { parseArgs } from 'node:util';

/**
 * @typedef {object} ReleaseOptions
 * @property {boolean} isDryRun
 * @property {string | undefined} tag
 * @property {string} folder
 * @property {string | undefined} imageDigest
 */

export const usage = `Usage: npm run release -- --dry-run [options]
       npm run release -- --tag vX.Y.Z [options]

Makes every artifact of a release in a folder. It publishes nothing: .github/workflows/release.yml
does that, with what this has made.

Options:
  --dry-run               of the checkout as it is, with the notes of Unreleased; what cannot be
                          made here is named and left out
  --tag <vX.Y.Z>          of a clean checkout of this tag; all must be made
  --image-digest <sha256:...>
                          the digest of the published image, for manifests and chart
  --out <folder>          where they go; it must be empty or new (default: release)
  -h, --help              this text
`;

/**
 * @param {readonly string[]} argv
 * @returns {ReleaseOptions | 'help'}
 * @throws Error that says what was expected and what was got
 */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'dry-run': { type: 'boolean' },
      tag: { type: 'string' },
      'image-digest': { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const { tag, out: folder = 'release', 'image-digest': imageDigest } = values;
  const isDryRun = values['dry-run'] === true;
  if (isDryRun === (tag !== undefined)) {
    throw new Error(`expected one of --dry-run and --tag, got ${isDryRun ? 'both' : 'neither'}`);
  }
  if (imageDigest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(imageDigest)) {
    throw new Error(
      `--image-digest: expected sha256: and 64 hexadecimal digits, got ${JSON.stringify(imageDigest)}`,
    );
  }
  if (folder === '') throw new Error('--out: expected a folder, got ""');
  return { isDryRun, tag, folder, imageDigest };
}

/**
 * Refuses a release of something else than its tag says.
 * @param {string} tag
 * @param {string} version of package.json
 * @param {string} commit as `--version` says it
 */
export function checkTag(tag, version, commit) {
  if (tag !== `v${version}`) {
    throw new Error(
      `--tag: expected v${version}, the version of package.json, got ${JSON.stringify(tag)}`,
    );
  }
  if (!/^[0-9a-f]{12}$/.test(commit)) {
    throw new Error(`--tag: expected a clean git checkout, got commit ${commit}`);
  }
}
