import { afterEach, beforeAll, beforeEach, expect, onTestFailed } from 'vitest';
import type { PathTestLines, PathTestName } from '../../../api/schema/v1/path-tests.js';
import type { Protocol } from '../../../api/schema/v1/fields.js';
import { startFabric, type Fabric } from './fabric.js';
import type { FabricHost, FabricOptions } from './fabric-plan.js';
import { missingFor } from './requirements.js';

/**
 * Starts one fabric for all tests of a `describe`. What a test has broken is repaired after it. The tests
 * are skipped with the reason where it cannot be built.
 * @returns the fabric, for use inside tests
 */
export function useFabric(options: FabricOptions): () => Fabric {
  const missing = missingFor(options.family);
  let fabric: Fabric | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    fabric = await startFabric(options);
    return () => fabric?.close();
  });
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(fabric?.logs()));
  });
  afterEach(() => fabric?.repair());
  return () => {
    if (!fabric) throw new Error('expected to be called inside a test');
    return fabric;
  };
}

type End<Test extends PathTestName> = Extract<PathTestLines[Test], { type: 'end' }>;

/** Makes one of two hosts test the path to the other, and returns all lines and the last. */
export async function testFrom<Test extends PathTestName>(
  fabric: Fabric,
  host: FabricHost,
  test: Test,
  protocol?: Protocol,
): Promise<{ readonly lines: readonly PathTestLines[Test][]; readonly end: End<Test> }> {
  const node = host === 'h1' ? 'h2' : 'h1';
  const request = { node, plane: 'host', ...(protocol && { protocol }) } as const;
  const lines: PathTestLines[Test][] = [];
  for await (const { line } of fabric.client(host).testPath(test, request)) {
    if (line) lines.push(line);
  }
  const end = lines.at(-1);
  expect(lines[0]).toMatchObject({ type: 'begin', test, node: `lab/${node}` });
  expect(end).toMatchObject({ type: 'end' });
  return { lines, end: end as End<Test> };
}
