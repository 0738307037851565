import type { Finding } from '../../schema/v1/findings.js';
import type { MatrixChoice } from './routes.js';

/** Kinds that are not about whether small packets pass between first addresses, as the cells are. */
const notInCells = ['mtu', 'address-family', 'not-listed', 'observers-missing'];

/**
 * The worst severity of the findings that show in the cells of a matrix; undefined if there is none. A
 * target has a matrix of its own.
 */
export function severityIn(
  findings: readonly Finding[],
  { plane, protocol }: MatrixChoice,
): Finding['severity'] | undefined {
  const shown = findings.filter(
    (finding) =>
      finding.target === undefined &&
      !notInCells.includes(finding.kind) &&
      (plane === 'worst' || (finding.plane ?? plane) === plane) &&
      (protocol === 'worst' || (finding.protocols?.includes(protocol) ?? true)),
  );
  return shown.find(({ severity }) => severity === 'broken')?.severity ?? shown[0]?.severity;
}
