// A file of its own, so that the CLI has the list without loading the schemas.

/** The kinds of this version. A reader treats one that is not in the list as `other`. */
export const findingKinds = [
  'node-down',
  'node-isolated',
  'agent-down',
  'endpoint-down',
  'host-plane',
  'endpoint-plane',
  'icmp-filtered',
  'http-filtered',
  'zones',
  'pair',
  'lossy',
  'slow',
  'observers-missing',
] as const;
export type FindingKind = (typeof findingKinds)[number];
