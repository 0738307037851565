/**
 * `error`: a part of the agent's work is not done. `warning`: the work is done, and someone should
 * look.
 */
export type Severity = 'error' | 'warning';

/** Every kind of problem of the agent itself. `npm run docs` lists them in docs/reference.md. */
export const problemCodes = {
  'node-source': {
    severity: 'error',
    meaning: 'A node source gives no list, or its list is bad. The last good one stays in use.',
  },
  'state-folder': {
    severity: 'warning',
    meaning:
      'The last node list cannot be kept on this host, or what was kept is not used. An agent that starts while its node source is away then knows nobody.',
  },
  'no-address': {
    severity: 'warning',
    meaning:
      'Listed nodes without a usable host address are excluded: nothing is expected of them.',
  },
  'address-conflict': {
    severity: 'warning',
    meaning:
      'Two listed nodes claim one address. The text names both, who has it, and whether the other one is excluded.',
  },
  'local-node': {
    severity: 'warning',
    meaning: "The agent's own node is not in the node list. The text has the nearest name.",
  },
  'local-network': {
    severity: 'error',
    meaning: 'This host cannot reach the network by one protocol. No peer is blamed for that.',
  },
  'icmp-unavailable': {
    severity: 'error',
    meaning: 'There is no permission for ICMP. It stays unknown, and HTTP goes on.',
  },
  'not-sent': {
    severity: 'error',
    meaning:
      'Probes of the last minute, or the last probe of a target, could not be sent. They are not counted as failures.',
  },
  'mesh-key-file': {
    severity: 'warning',
    meaning: 'The mesh key file cannot be read. The last good key stays in use.',
  },
  'mesh-key': {
    severity: 'warning',
    meaning:
      'Other agents have another mesh key, or only one side has one, so the two sides believe nothing of each other. The text names up to four.',
  },
  'api-token-file': {
    severity: 'warning',
    meaning:
      'The API token file cannot be read, or holds no token. The last good token stays in use. It is looked at when a token is asked for.',
  },
  'mesh-source': {
    severity: 'warning',
    meaning:
      'A peer sends its row from an address that is not its own. It is refused: see `--mesh-source`.',
  },
  'kubernetes-status': {
    severity: 'error',
    meaning:
      'Conditions or Events cannot be written to the Kubernetes API. The text says why, and which right it takes where that is forbidden.',
  },
  'network-pods': {
    severity: 'warning',
    meaning:
      'The Kubernetes API does not let this agent watch the pods of kube-proxy and the network plugin on its node (`--network-pods`). It asks again after ten to twenty minutes; nothing else depends on it.',
  },
  'health-port': {
    severity: 'warning',
    meaning: 'There is no health port, because something else has its address.',
  },
  'targets-file': {
    severity: 'error',
    meaning: 'The targets file cannot be read, or is bad. The last good targets stay in use.',
  },
  'notify-file': {
    severity: 'error',
    meaning: 'The notify file cannot be read, or is bad. The last good receivers stay in use.',
  },
  notices: {
    severity: 'error',
    meaning:
      'A receiver of notices does not take what this agent sends. It is asked again for an hour, by this agent and others; the text has its name and its answer.',
  },
  selfcheck: {
    severity: 'error',
    meaning: 'A check of docs/health.md fails. The text begins with the name of the component.',
  },
} as const satisfies Readonly<
  Record<string, { readonly severity: Severity; readonly meaning: string }>
>;

export type ProblemCode = keyof typeof problemCodes;

/** A code, or a code and what it concerns: `not-sent`, `not-sent:icmp` or `node-source main`. */
export type ProblemCause = ProblemCode | `${ProblemCode}:${string}` | `${ProblemCode} ${string}`;
