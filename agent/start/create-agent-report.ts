import type { Cluster } from '../cluster/cluster.js';
import type { V1Bodies } from '../cluster/v1-bodies.js';
import { writeDiagnosis } from '../cluster/diagnosis-report.js';
import type { Config } from '../config/config.js';
import { reportBody, type ReportSources } from '../reports/report-body.js';

export interface AgentReportOptions extends Pick<ReportSources, 'health' | 'status'> {
  readonly config: Config;
  readonly cluster: Cluster;
  readonly v1: Pick<V1Bodies, 'summary' | 'findings' | 'targets'>;
}

/** Returns what prepares the body of `GET /v1/report`. */
export function createAgentReport({ config, cluster, v1, health, status }: AgentReportOptions) {
  return () =>
    reportBody({
      localName: config.localName,
      settings: settingsToShow(config.given),
      health,
      summary: () => v1.summary(),
      findings: () => v1.findings(),
      targets: () => v1.targets(),
      nodes: () => cluster.overview().nodes,
      events: cluster.events,
      diagnosis: () => writeDiagnosis(cluster.diagnosisInput()),
      status,
    });
}

/** Secrets are in files, but for those in the query of a target's URL. */
function settingsToShow(given: Config['given']): Config['given'] {
  const { targets } = given;
  if (!targets) return given;
  const value: unknown = JSON.parse(JSON.stringify(targets.value), (key, part: unknown) =>
    key === 'url' && typeof part === 'string' ? part.replace(/\?.*$/s, '?...') : part,
  );
  return { ...given, targets: { ...targets, value } };
}
