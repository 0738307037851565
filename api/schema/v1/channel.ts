// This is a file of its own, so that the page and the CLI have the names without the schemas.

export const planes = ['host', 'endpoint'] as const;
export type Plane = (typeof planes)[number];

export const protocols = ['icmp', 'http'] as const;
export type Protocol = (typeof protocols)[number];

/** One way to a node: a plane and a protocol. */
export interface Channel {
  readonly plane: Plane;
  readonly protocol: Protocol;
}
