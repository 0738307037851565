import type { Plane, Protocol } from '../../schema/v1/fields.js';
import type { Finding } from '../../schema/v1/findings.js';
import { firstMatrix, type MatrixChoice } from './routes.js';

/** The worst severity of the findings that show in a matrix; undefined if there is none. */
export function severityIn(
  findings: readonly Finding[],
  { plane, protocol }: { readonly plane: Plane; readonly protocol: Protocol },
): Finding['severity'] | undefined {
  const shown = findings.filter(
    (finding) =>
      (finding.plane ?? plane) === plane && (finding.protocols?.includes(protocol) ?? true),
  );
  return shown.find(({ severity }) => severity === 'broken')?.severity ?? shown[0]?.severity;
}

/** The matrix in which the worst finding shows, for a reader who has chosen none. */
export function worstMatrix([worst]: readonly Finding[]): MatrixChoice {
  if (!worst) return firstMatrix;
  const { protocols = [] } = worst;
  return {
    plane: worst.plane ?? firstMatrix.plane,
    protocol:
      protocols.length === 0 || protocols.includes(firstMatrix.protocol)
        ? firstMatrix.protocol
        : (protocols[0] ?? firstMatrix.protocol),
  };
}
