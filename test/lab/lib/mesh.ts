import { afterEach, beforeAll, beforeEach, onTestFailed } from 'vitest';
import { missingFor } from './requirements.js';
import { startDeadlineMs, startMesh, type Mesh, type MeshOptions } from './start-mesh.js';

/**
 * Starts one mesh for all tests of a file or of a `describe`. It is closed after them. What a test
 * has made is repaired after it. The tests are skipped with the reason where no lab can run. A test
 * that fails prints the logs of the agents.
 * @param missing the reason why the tests of this mesh cannot run here
 * @returns the mesh, for use inside tests
 */
export function useMesh(
  options: MeshOptions,
  missing: string | undefined = missingFor(options.family),
): () => Mesh {
  let mesh: Mesh | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    mesh = await startMesh(options);
    return () => mesh?.close();
  }, 2 * startDeadlineMs);
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(mesh?.agents.logs()));
  });
  afterEach(() => mesh?.repairAll());
  return () => {
    if (!mesh) throw new Error('expected to be called inside a test');
    return mesh;
  };
}
