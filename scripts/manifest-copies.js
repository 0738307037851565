import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from './sources.js';

const rules = 'deploy/alerts/meshprobe.rules.yaml';
const board = 'deploy/grafana/meshprobe.json';
const schema = 'deploy/helm/meshprobe/values.schema.json';
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/**
 * The files of deploy/ that repeat others. Helm reads only files in the chart. The Prometheus
 * Operator takes rules only in an object of its own.
 * @param {ReturnType<typeof import('../agent/config/settings-for-helm.js').settingsForHelm>} settings
 * @returns {Record<string, string>} contents by path
 */
export function manifestCopies(settings) {
  const onKubernetes = read(rules).replace(
    /promtool query instant .*/,
    'kubectl get ds,pods,servicemonitors,podmonitors -A -l app.kubernetes.io/name=meshprobe -o wide',
  );
  const prometheusRule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'meshprobe',
      labels: {
        'app.kubernetes.io/name': 'meshprobe',
        'app.kubernetes.io/component': 'alerts',
      },
    },
    spec: parse(onKubernetes),
  };
  const yaml = stringify(prometheusRule, { lineWidth: 0, singleQuote: true });
  return {
    'deploy/alerts/prometheus-rule.yaml': `# Made from meshprobe.rules.yaml by \`npm run manifests\`.\n${yaml}`,
    'deploy/helm/meshprobe/files/meshprobe.rules.yaml': onKubernetes,
    'deploy/helm/meshprobe/files/meshprobe.json': read(board),
    'deploy/helm/meshprobe/files/settings.json': `${JSON.stringify(settings.forms, null, 2)}\n`,
    [schema]: withSettings(settings.schemas),
  };
}

/**
 * The schema of the chart's values is written by hand, but for the settings.
 * @param {object} schemas
 */
function withSettings(schemas) {
  /** @type {{ properties: { settings: { properties: object } } }} */
  const values = JSON.parse(read(schema));
  values.properties.settings.properties = schemas;
  return JSON.stringify(values, null, 2);
}
