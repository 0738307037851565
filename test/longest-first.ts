import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, of `npm test` and of `npm run test:long`, the slowest of each project first. */
export const slowFiles = [
  'lab/diagnosis-paths',
  'lab/diagnosis',
  'page/matrix',
  'sim/timeline/timeline',
  'sim/notices/notices',
  'page/real-mesh',
  'lab/throughput',
  'integration/mesh',
  'integration/agent',
  'integration/exchange',
  'integration/kubernetes',
  'integration/targets',
  'integration/selfcheck',
  'integration/agent/throughput',
  'integration/agent/udp',
  'integration/agent/udp-addresses',
  'lab/host-signs.long',
  'sim/size/whole-agents-200.long',
  'integration/notices/twelve-agents.long',
  'lab/fabric-large.long',
  'lab/path-tests.long',
  'integration/kubectl-check.long',
  'lab/diagnosis.long',
  'lab/fabric-losses.long',
  'lab/large-packets.long',
  'lab/lossy-and-slow.long',
  'lab/exchange.long',
  'lab/datagrams.long',
  'integration/deploy/image.long',
  'sim/size/whole-agents.long',
  'sim/timeline/timeline.long',
  'lab/kubernetes.long',
  'lab/quiet-fabric.long',
  'lab/kubernetes-conditions.long',
  'lab/why.long',
  'lab/group-cuts.long',
  'lab/two-faults.long',
].map((name) => `test/${name}.test.ts`);

/**
 * Starts the slowest files of a group first, so that none of them runs alone at the end. Without what an
 * earlier run took, vitest begins with the files that have the most text, which may be the quickest. The others of a
 * project follow each other: a worker that shares its modules goes on only with a file of the same project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort(inOrder);
  }
}

/** Which of two test files begins first, as a number for a stable sort. */
export function inOrder(a: OrderedFile, b: OrderedFile): number {
  return (
    placeOf(a) - placeOf(b) ||
    (a.project.name < b.project.name ? -1 : Number(a.project.name > b.project.name))
  );
}

/** What of a test file says when it begins. */
export interface OrderedFile {
  readonly moduleId: string;
  readonly project: { readonly name: string };
}

function placeOf({ moduleId }: OrderedFile): number {
  const at = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? slowFiles.length : at;
}
