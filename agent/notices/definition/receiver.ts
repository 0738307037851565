import type { FindingKind, Severity } from '../../diagnosis/nouns/finding.js';

export const receiverTypes = ['webhook', 'alertmanager', 'slack'] as const;
export type ReceiverType = (typeof receiverTypes)[number];

/** A notify file has at most so many. */
export const maxReceivers = 4;

/** Who is told of findings, and of which. */
export interface Receiver {
  readonly name: string;
  readonly type: ReceiverType;
  /** The address itself, or the absolute path of the file that holds it. */
  readonly url: URL | string;
  /** The file with the secret that signs what a webhook is sent. */
  readonly secretFile: string | undefined;
  /** The file with headers to send. */
  readonly headersFile: string | undefined;
  /** Who signs the certificate of the receiver; undefined: those that Node knows. */
  readonly caFile: string | undefined;
  readonly severities: ReadonlySet<Severity>;
  /** Undefined: all. */
  readonly kinds: ReadonlySet<FindingKind> | undefined;
  /** Undefined: all. */
  readonly zones: ReadonlySet<string> | undefined;
  /** A finding that closes sooner is not told. */
  readonly afterMs: number;
}
