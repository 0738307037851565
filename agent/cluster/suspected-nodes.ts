import { kindsThat } from '../diagnosis/kinds/kinds.js';

/** What is needed of a finding. */
interface OpenFinding {
  readonly id: string;
  readonly kind: string;
  readonly node?: string | undefined;
  readonly pair?: readonly string[] | undefined;
}

/**
 * Large packets may be lost beside, or be all that is lost: the certificate of an API server, or the first words to it, are
 * large, so that a target over TLS fails where small probes pass.
 */
const mayBeLarge = kindsThat('mayBeLarge');

/** The nodes of findings that lost large packets may be behind. */
export class SuspectedNodes {
  #open: ReadonlySet<string> = new Set();

  /** Takes all open findings. Returns the nodes of those that have opened. */
  take(findings: readonly OpenFinding[]): string[] {
    const mayLose = findings.filter(({ kind }) => mayBeLarge.has(kind));
    const opened = mayLose.filter(({ id }) => !this.#open.has(id));
    this.#open = new Set(mayLose.map(({ id }) => id));
    return opened.flatMap(({ node, pair = [] }) => (node === undefined ? pair : [node]));
  }
}
