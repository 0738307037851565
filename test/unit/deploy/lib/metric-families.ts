/** The labels of every metric family that agents serve, by its name. */
export const metricFamilies: ReadonlyMap<string, readonly string[]> = new Map([
  ['meshprobe_build_info', ['version']],
  ['meshprobe_nodes', ['phase']],
  ['meshprobe_paths', ['plane', 'protocol', 'state']],
  ['meshprobe_probes_total', ['plane', 'protocol', 'outcome']],
  ['meshprobe_rtt_seconds_bucket', ['plane', 'protocol', 'le']],
  ['meshprobe_time_to_detect_seconds', ['protocol']],
  ['meshprobe_unreachable_path_info', ['node', 'plane', 'protocol']],
  ['meshprobe_unreachable_paths_unnamed', []],
  ['meshprobe_findings', ['severity']],
  ['meshprobe_finding_info', ['kind', 'severity', 'subject']],
  ['meshprobe_observers', ['freshness']],
  ['meshprobe_hints_total', ['direction', 'use']],
  ['meshprobe_node_list_age_seconds', []],
  ['meshprobe_event_loop_stall_seconds', []],
  ['meshprobe_tainted_samples_total', []],
  ['meshprobe_ready', []],
  ['process_cpu_seconds_total', []],
  ['process_resident_memory_bytes', []],
]);

/** The values that a label can have, where they are a closed list. */
export const labelValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['phase', ['active', 'joining', 'leaving', 'excluded']],
  ['plane', ['host', 'endpoint']],
  ['protocol', ['icmp', 'http']],
  ['state', ['reachable', 'unreachable', 'unknown', 'degraded']],
  ['outcome', ['reply', 'failure', 'not_sent', 'tainted']],
  ['severity', ['broken', 'degraded']],
  ['freshness', ['fresh', 'stale', 'silent']],
  [
    'kind',
    [
      ...['node-down', 'node-isolated', 'agent-down', 'endpoint-down', 'host-plane'],
      ...['endpoint-plane', 'icmp-filtered', 'http-filtered', 'zones', 'pair', 'lossy', 'slow'],
      'observers-missing',
    ],
  ],
]);

/** What a PromQL expression asks of metrics: names, labels, and the values of `=`, `=~`, `!=` and `!~`. */
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
export function groupedBy(expression: string): string[] {
  const lists = expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g);
  return [...lists].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
}

/** What of an expression no agent serves: one line for each mistake. */
export function mistakesOf(expression: string): string[] {
  const uses = usesOf(expression);
  const ofTarget = ['job', 'instance'];
  const known = new Set([
    ...ofTarget,
    ...uses.flatMap(({ name }) => metricFamilies.get(name) ?? []),
  ]);
  return [
    ...(uses.length === 0 ? ['expected a metric, got none'] : []),
    ...uses.flatMap(({ name, matchers }) => {
      const labels = metricFamilies.get(name);
      if (labels === undefined) return [`no metric ${name}`];
      return matchers.flatMap(({ label, values }) => {
        if (ofTarget.includes(label)) return [];
        if (!labels.includes(label)) return [`${name} has no label ${label}`];
        const closed = labelValues.get(label);
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
