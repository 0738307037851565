// This is a file of its own, so that the CLI has the list without loading the schemas.

/** The kinds of this version. A reader treats any other kind as `other`. */
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
  'mtu',
  'group',
  'target-down',
  'target-unreachable',
  'target-slow',
  'target-lossy',
  'address-family',
  'not-listed',
  'observers-missing',
  'host-sign',
] as const;
export type FindingKind = (typeof findingKinds)[number];
