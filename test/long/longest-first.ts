import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take a minute or more, the slowest first. */
const slow = [
  'twelve-agents',
  'whole-agents-200',
  'whole-agents',
  'fabric-losses',
  'host-signs',
  'fabric-large',
  'path-tests',
  'large-packets',
  'diagnosis',
  'lossy-and-slow',
  'datagrams',
  'quiet-fabric',
].map((name) => `${name}.long.test.ts`);

/**
 * Starts the slowest files of a project first, so that none of them runs alone at the end. Without what an
 * earlier run took, vitest begins with the files that have the most text, which may be the quickest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slow.indexOf(basename(moduleId));
      return at === -1 ? slow.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
