import type { Finding } from '../../schema/v1/findings.js';
import type { MatrixChoice } from './routes.js';

/** The worst severity of the findings that show in a matrix; undefined if there is none. */
export function severityIn(
  findings: readonly Finding[],
  { plane, protocol }: MatrixChoice,
): Finding['severity'] | undefined {
  const shown = findings.filter(
    (finding) =>
      (plane === 'worst' || (finding.plane ?? plane) === plane) &&
      (protocol === 'worst' || (finding.protocols?.includes(protocol) ?? true)),
  );
  return shown.find(({ severity }) => severity === 'broken')?.severity ?? shown[0]?.severity;
}
