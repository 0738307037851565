import type { Evidence, Finding } from '../../../api/schema/v1/findings.js';

/** What this agent knows of its own paths beside what its row tells: of a failure that tells its kind alone. */
export type OwnEvidence = Pick<Evidence, 'ports' | 'trace'> & Partial<Pick<Evidence, 'failure'>>;

/**
 * Adds to the evidence of findings what this agent knows of its own paths.
 * @param evidenceOf what is known of one of its paths; undefined where nothing is
 */
export function withOwnEvidence(
  findings: readonly Finding[],
  localName: string,
  evidenceOf: (path: Evidence, finding: Finding) => OwnEvidence | undefined,
): Finding[] {
  return findings.map((finding) => {
    if (!finding.evidence.some(({ from }) => from === localName)) return finding;
    const evidence = finding.evidence.map((path) => ({
      ...path,
      ...(path.from === localName && evidenceOf(path, finding)),
    }));
    return { ...finding, evidence };
  });
}
