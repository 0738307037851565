/** Why a measurement could not be made or went wrong, in words that need a subject: "c/n2 ...". */
export class ThroughputError extends Error {
  override readonly name = 'ThroughputError';
  /** Nothing was answered: the network may be what is broken, not the other end. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false, ...options }: ThroughputErrorOptions = {}) {
    super(message, options);
    this.isUnreachable = isUnreachable;
  }
}

export interface ThroughputErrorOptions extends ErrorOptions {
  readonly isUnreachable?: boolean;
}

/** Why an end takes no part, as it says it; a closed list. A reader of another version may not know all. */
export const refusals = {
  'no-key':
    'has no mesh key: give it --mesh-key-file, or --throughput-insecure, which lets anyone measure',
  key: 'has another mesh key',
  node: 'is another node: the node list has a wrong address',
  stranger: 'does not have this node in its node list, or with another address',
  malformed: 'does not understand the request: it is of another version',
  busy: 'takes part in another throughput test; try again later',
  limits: 'takes no part in a test of this size: it is of another version',
  silent: 'says that no data came',
  overrun: 'says that more data came than was agreed',
  streams: 'says that a stream was closed, or never came',
} as const;
export type Refusal = keyof typeof refusals;

/** What a refusal means. */
export function refusalText(why: string | undefined): string {
  const known = Object.entries(refusals).find(([name]) => name === why);
  return known?.[1] ?? 'refuses, and does not say why';
}
