import {
  metricFamilies,
  metricLabelValues,
  type MetricFamily,
} from '../../../../agent/reports/metric-families.js';

/** The labels of the series that Prometheus stores of an agent, by the name of the metric. */
export const storedMetrics: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MetricFamily>(metricFamilies).flatMap(
    ([name, { type, labels }]): [string, readonly string[]][] =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, [...labels, 'le']],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
  ),
);

const closedLabels: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(metricLabelValues),
);

/**
 * The metrics that a PromQL expression uses: names, labels, and the values of `=`, `=~`, `!=` and
 * `!~`.
 */
export function usesOf(expression: string) {
  const metrics = [...expression.matchAll(/\b((?:meshprobe|process)_\w+)(?:\{([^}]*)\})?/g)];
  return metrics.map(([, name = '', selectors = '']) => ({
    name,
    matchers: [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', value = '']) => ({ label, values: value.split('|') }),
    ),
  }));
}

/** The labels that an expression groups by. */
function groupedBy(expression: string): string[] {
  const lists = expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g);
  return [...lists].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
}

/** Returns one line for each part of an expression that no agent serves. */
export function mistakesOf(expression: string): string[] {
  const uses = usesOf(expression);
  // Where one Prometheus has several clusters, its scrape or external labels name the cluster.
  const ofTarget = ['job', 'instance', 'namespace', 'cluster'];
  const known = new Set([
    ...ofTarget,
    ...uses.flatMap(({ name }) => storedMetrics.get(name) ?? []),
  ]);
  return [
    ...(uses.length === 0 ? ['expected a metric, got none'] : []),
    ...uses.flatMap(({ name, matchers }) => {
      const labels = storedMetrics.get(name);
      if (labels === undefined) return [`no metric ${name}`];
      return matchers.flatMap(({ label, values }) => {
        if (ofTarget.includes(label)) return [];
        if (!labels.includes(label)) return [`${name} has no label ${label}`];
        const closed = closedLabels.get(label);
        return values
          .filter((value) => closed?.includes(value) === false)
          .map((value) => `${label} is never ${value}`);
      });
    }),
    ...groupedBy(expression)
      .filter((label) => !known.has(label))
      .map((label) => `nothing to group by ${label}`),
  ];
}
