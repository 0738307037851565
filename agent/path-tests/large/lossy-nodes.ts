/** What is needed of a finding. */
interface LossFinding {
  readonly id: string;
  readonly kind: string;
  readonly node?: string | undefined;
  readonly pair?: readonly string[] | undefined;
}

/** The nodes of findings of losses: large packets may be lost beside, or be all that is lost. */
export class LossyNodes {
  #open: ReadonlySet<string> = new Set();

  /** Takes all open findings. Returns the nodes of those that have opened. */
  take(findings: readonly LossFinding[]): string[] {
    const lossy = findings.filter(({ kind }) => kind === 'lossy');
    const opened = lossy.filter(({ id }) => !this.#open.has(id));
    this.#open = new Set(lossy.map(({ id }) => id));
    return opened.flatMap(({ node, pair = [] }) => (node === undefined ? pair : [node]));
  }
}
