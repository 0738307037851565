import type { Cluster } from '../cluster/cluster.js';
import { writeDiagnosis } from '../cluster/diagnosis-report.js';
import type { Config } from '../config/config.js';
import { reportBody, type ReportSources } from '../reports/report-body.js';

export interface AgentReportOptions extends Pick<ReportSources, 'health' | 'status'> {
  readonly config: Config;
  readonly cluster: Cluster;
}

/** Returns what prepares the body of `GET /v1/report`. */
export function createAgentReport({ config, cluster, health, status }: AgentReportOptions) {
  return () =>
    reportBody({
      localName: config.localName,
      settings: config.given,
      health,
      summary: () => cluster.summary(),
      findings: () => cluster.findings(),
      nodes: () => cluster.overview().nodes,
      events: cluster.events,
      diagnosis: () => writeDiagnosis(cluster.diagnosisInput()),
      status,
    });
}
