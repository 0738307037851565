import { settingEntries } from '../../agent/config/settings.js';
import { variableOf } from '../../agent/config/read-values.js';
import { intentionTaints } from '../../agent/discovery/kubernetes/intention-taints.js';
import { nodeLabels } from '../../agent/discovery/kubernetes/node-labels.js';
import { nodeKeys } from '../../agent/discovery/nodes-file-keys.js';
import { exitCodes as agentExitCodes } from '../../agent/platform/exit-codes.js';
import { problemCodes } from '../../agent/platform/problem-codes.js';
import { receiverKeys } from '../../agent/notices/definition/receiver-keys.js';
import { dnsKeys, httpKeys, targetKeys } from '../../agent/targets/definition/target-keys.js';
import { metricFamilies, metricLabelValues } from '../../agent/reports/metric-families.js';
import { findingKinds } from '../../api/schema/v1/finding-kinds.js';
import { exitCodes } from '../../cli/exit-codes.js';
import { codes, pageOf, table } from './table.js';

/** docs/reference.md: settings, variables, files, exit codes, problem codes and metrics. */
export function agentPage(): string {
  return pageOf(
    '# Reference',
    'This page is written from the code: `npm run docs` writes it anew. The API is in [reference-api.md](reference-api.md), the values of the Helm chart are in [reference-chart.md](reference-chart.md).',
    '## Settings of the agent',
    'Flags win over variables, variables over the `--config` file, the file over the defaults. A repeatable flag is a list in the file, and a list separated by commas in its variable.',
    settingsTable(),
    '`--config FILE` (or `MESHPROBE_CONFIG`) names a YAML file whose keys are the flags without their dashes: `icmp-interval: 1s`. An unknown key is refused, with its line. `--check-config` reads the settings and the files that they name, says what is wrong, and exits: with 0 if all is good, else with 2.',
    '## Other variables',
    table([['variable', 'program', 'meaning'], ...variables]),
    '## The nodes file',
    'YAML or JSON, with one key `nodes`: a list of nodes. One mistake refuses the whole file. [node-sources.md](node-sources.md) has an example.',
    nodeKeysTable(),
    '## The targets file',
    'YAML or JSON, with one key `targets`: a list of at most 16. One mistake refuses the whole file. [targets.md](targets.md) has examples.',
    keysTable('key of a target', targetKeys),
    keysTable('key of `dns`', dnsKeys),
    keysTable('key of `http`', httpKeys),
    '## The notify file',
    'YAML or JSON, with one key `receivers`: a list of 1 to 4. One mistake refuses the whole file. [notices.md](notices.md) has an example.',
    keysTable('key of a receiver', receiverKeys),
    '## What is read of Kubernetes',
    kubernetesTable(),
    '## Exit codes',
    table([['program', 'code', 'meaning'], ...exitCodeRows()]),
    '## Problem codes',
    'The `code` of each entry of `problem-details` in `GET /v1beta/healthz`, as `meshprobe get -o json` prints them. `error`: a part of the work of the agent is not done. `warning`: all of it is done, and someone should look.',
    table([
      ['code', 'severity', 'meaning'],
      ...Object.entries(problemCodes).map(([code, { severity, meaning }]) => [
        `\`${code}\``,
        severity,
        meaning,
      ]),
    ]),
    '## Kinds of findings',
    `${findingKinds.map((kind) => `[\`${kind}\`](when-it-says.md#${kind})`).join(', ')}. [when-it-says.md](when-it-says.md) tells what each means and what to do, [findings.md](findings.md) how they are made.`,
    '## Metrics',
    metricsTable(),
    'The values of labels; those of `version` are versions, those of all others are names:',
    table([
      ['label', 'values'],
      ...Object.entries(metricLabelValues).map(([label, values]) => [
        `\`${label}\``,
        codes(values.map((value) => (value === '' ? '""' : value))),
      ]),
    ]),
  );
}

function settingsTable(): string {
  const rows = settingEntries.map(([name, { value, help, default: standard, repeatable }]) => [
    `\`--${name} ${value}\`${repeatable === true ? ' (repeatable)' : ''}`,
    `\`${variableOf(name)}\``,
    standard === undefined ? '' : `\`${standard}\``,
    help,
  ]);
  return table([['flag', 'variable', 'default', 'meaning'], ...rows]);
}

/** A test finds every variable that the sources read, and looks for it on the page. */
const variables = [
  [
    '`MESHPROBE_AGENT_SOURCE`',
    '`meshprobe-agent responder`',
    'Where the agent of its node sends from, as `--agent-source`',
  ],
  ['`MESHPROBE_CONFIG`', '`meshprobe-agent`', 'The file of `--config`'],
  ['`KUBECONFIG`', '`meshprobe-agent`', 'Kubeconfigs, where `--kubeconfig` is not given'],
  ['`HOME`', '`meshprobe-agent`', 'Where `.kube/config` is, where `KUBECONFIG` is not given'],
  [
    '`KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT`',
    '`meshprobe-agent`',
    'The API server of the cluster whose pod the agent runs in',
  ],
  [
    '`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, and the same in lower case',
    '`meshprobe-agent`',
    'The proxy on the way to an API server, and to receivers of notices',
  ],
  [
    '`MESHPROBE_SERVICE_HOST`, `MESHPROBE_SERVICE_PORT`',
    '`meshprobe-agent`, `meshprobe-agent responder`',
    'Where the target `service` is. A kubelet sets them in pods beside a Service named `meshprobe`',
  ],
  ['`MESHPROBE_SOCK`', '`meshprobe`', 'The agent to ask, where `--host` is not given'],
  ['`MESHPROBE_TOKEN_FILE`', '`meshprobe`', 'The file of `--token-file`'],
  ['`NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`', '`meshprobe`', 'No colours, or colours in a pipe too'],
] as const;

function nodeKeysTable(): string {
  const rows = Object.entries(nodeKeys).map(([key, { form, isRequired, meaning }]) => [
    `\`${key}\``,
    isRequired ? form : `${form}, optional`,
    meaning,
  ]);
  return table([['key of a node', 'form', 'meaning'], ...rows]);
}

function keysTable(
  title: string,
  keys: Readonly<Record<string, { readonly form: string; readonly meaning: string }>>,
): string {
  const rows = Object.entries(keys).map(([key, { form, meaning }]) => [
    `\`${key}\``,
    form,
    meaning,
  ]);
  return table([[title, 'form', 'meaning'], ...rows]);
}

const labelMeanings: Record<keyof typeof nodeLabels, string> = {
  zone: 'The zone of the node',
  region: 'It is put before the zone, unless the name of the zone begins with it',
  os: 'Where it is not `linux`, the node is `excluded`: no agent can run there',
};

function kubernetesTable(): string {
  const selector = settingEntries.find(([name]) => name === 'endpoint-selector')?.[1].default ?? '';
  const labels = Object.entries(nodeLabels).map(([name, label]) => [
    `node label \`${label}\``,
    labelMeanings[name as keyof typeof nodeLabels],
  ]);
  return table([
    ['what', 'meaning'],
    ...labels,
    [
      'node labels of `--exclude-selector`',
      'The node is `excluded`: it is probed, and never counted',
    ],
    [`node taints ${codes(intentionTaints)}`, 'The same'],
    ['`spec.unschedulable` of nodes', 'The same: the node is cordoned'],
    ['`status.addresses` of nodes', 'Internal addresses first, then external ones'],
    ['`status.conditions` of nodes, type `Ready`', '`known` of the node and its findings'],
    [
      '`metadata` of nodes: `creationTimestamp`, `deletionTimestamp`, `uid`',
      'The life of the node',
    ],
    [
      `pod labels of \`--endpoint-selector\` (\`${selector}\`)`,
      'The addresses of the pod are the health endpoint of its node',
    ],
  ]);
}

const agentExitMeanings: Record<keyof typeof agentExitCodes, string> = {
  failed: 'It could not start, a part of it failed, or what `check` asked for is not well',
  usage: 'A bad flag, file or variable',
};

const exitMeanings: Record<keyof typeof exitCodes, string> = {
  unexpected:
    'Unexpected, the output could not be written, or a test could not be made or is under way already (`trace`, `mtu`, `flows`, `throughput`, `notify`)',
  usage:
    'A bad flag or argument: also an unknown node, a file that exists (`report`), an agent without receivers (`notify`), or one over TCP for what needs the unix socket',
  noAgent: 'The agent does not answer, or its answer is invalid',
  notWell:
    'Something found or not known yet (`diagnose`), worse (`diff`; what differs and is not worse exits with 0), timed out (`wait`), not taken (`notify`)',
  interrupted: 'Ctrl-C',
};

function exitCodeRows(): string[][] {
  const rowsOf = (program: string, of: Readonly<Record<string, number>>, meanings: object) =>
    Object.entries(of).map(([name, code]) => [
      `\`${program}\``,
      String(code),
      String((meanings as Readonly<Record<string, string>>)[name]),
    ]);
  return [
    ['`meshprobe`', '0', 'Well'],
    ...rowsOf('meshprobe', exitCodes, exitMeanings),
    ['`meshprobe-agent`', '0', 'Stopped by a signal, or what was asked for is well'],
    ...rowsOf('meshprobe-agent', agentExitCodes, agentExitMeanings),
    ['`meshprobe-agent`', '128 and the number of the signal', 'A second signal while it stops'],
  ];
}

function metricsTable(): string {
  const rows = Object.entries(metricFamilies).map(([name, { type, help, labels }]) => [
    `\`${name}\``,
    type,
    codes(labels),
    help,
  ]);
  return table([['family', 'type', 'labels', 'meaning'], ...rows]);
}
