import type { Findings } from '../../schema/v1/findings.js';
import type { Summary } from '../../schema/v1/summary.js';
import type { MatrixChoice } from '../model/routes.js';
import { FindingsList } from './findings.js';
import { TargetsCard } from './targets-card.js';
import { OwnPaths, VerdictBanner } from './verdict.js';
import { ZoneMatrixView } from './zone-matrix.js';

interface OverviewProps {
  readonly summary: Summary;
  readonly findings: Findings;
  readonly choice: MatrixChoice;
}

/** The first view: the verdict, the findings and the matrix. */
export function Overview({ summary, findings, choice }: OverviewProps) {
  return (
    <>
      <VerdictBanner summary={summary} />
      <OwnPaths summary={summary} />
      <FindingsList findings={findings} />
      <TargetsCard />
      <ZoneMatrixView choice={choice} />
    </>
  );
}
