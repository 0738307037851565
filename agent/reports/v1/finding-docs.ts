import type { FindingKind } from '../../../api/schema/v1/finding-kinds.js';

/**
 * The page is that of `main` and not of a tag: a build between two releases has no tag, and alert
 * rules outlive the version that they came with. No kind is ever renamed, so each anchor stays.
 */
const page = 'https://github.com/meshprobe/meshprobe/blob/main/docs/when-it-says.md';

/** Where it is written what a kind of finding means, and what to do. */
export function findingDocs(kind: FindingKind): string {
  return `${page}#${kind}`;
}
