import type { Finding } from '../../../api/schema/v1/findings.js';
import { lackOf, type Expected } from './findings.js';
import type { Host } from './plan.js';

/** A finding that named no fault, and from when to when an agent said it, in milliseconds. */
export interface FalseFinding {
  readonly finding: Finding;
  readonly fromMs: number;
  toMs: number;
}

/** Follows what one agent says while faults last and after their repair. Call `look` often. */
export class AgentWatch {
  readonly host: Host;
  readonly falseFindings: FalseFinding[] = [];
  /** What it said, each from when on. */
  readonly said: { readonly ids: string; readonly fromMs: number }[] = [];
  readonly #expected: readonly Expected[];
  #open = new Map<string, FalseFinding>();
  #findings: readonly Finding[] = [];
  #exactMs = Infinity;
  #lastWrongMs = -Infinity;
  #repairedMs = Infinity;
  #closedMs = Infinity;
  #wrongAtRepair: string | undefined;

  /** @param expected what the agent should say of each fault, and nothing else */
  constructor(host: Host, expected: readonly Expected[]) {
    this.host = host;
    this.#expected = expected;
  }

  /** When its findings were exactly the faults for the first time; Infinity for never. */
  get exactMs(): number {
    return this.#exactMs;
  }

  /** When it had no finding after the repair, for good; Infinity for never. */
  get closedMs(): number {
    return this.#closedMs;
  }

  /** Whether its findings are exactly the faults now. */
  get isExact(): boolean {
    return (
      this.#findings.length === this.#expected.length &&
      this.#expected.every((one) =>
        this.#findings.some((finding) => lackOf(finding, one) === undefined),
      )
    );
  }

  /** For how long its findings have been exactly the faults. */
  exactForMs(nowMs: number): number {
    return this.isExact ? nowMs - Math.max(this.#exactMs, this.#lastWrongMs) : 0;
  }

  /** What it says now. */
  get ids(): string {
    return this.#findings.map(({ id, direction = '' }) => `${id} ${direction}`.trim()).join(', ');
  }

  /** What was wrong with its findings when the faults were repaired; undefined if nothing was. */
  get wrongAtRepair(): string | undefined {
    return this.#wrongAtRepair;
  }

  /** The faults have been repaired. */
  repaired(nowMs: number): void {
    this.#repairedMs = nowMs;
    if (!this.isExact) this.#wrongAtRepair = `${this.host.name} said: ${this.ids || 'nothing'}`;
  }

  /** Takes what the agent says. Returns the false findings among them. */
  look(all: readonly Finding[], nowMs: number): readonly FalseFinding[] {
    const findings = all.filter(isAboutPaths);
    this.#findings = findings;
    if (this.said.at(-1)?.ids !== this.ids) this.said.push({ ids: this.ids, fromMs: nowMs });
    if (this.#repairedMs < Infinity) {
      if (findings.length > 0) this.#closedMs = Infinity;
      else if (this.#closedMs === Infinity) this.#closedMs = nowMs;
    } else if (this.isExact) this.#exactMs = Math.min(this.#exactMs, nowMs);
    else this.#lastWrongMs = nowMs;
    return this.#noteFalse(findings, nowMs);
  }

  #noteFalse(findings: readonly Finding[], nowMs: number): FalseFinding[] {
    const open = new Map<string, FalseFinding>();
    for (const finding of findings) {
      if (this.#expected.some((one) => names(finding, one))) continue;
      const known = this.#open.get(finding.id);
      const said = known ?? { finding, fromMs: nowMs, toMs: nowMs };
      said.toMs = nowMs;
      open.set(finding.id, said);
      if (!known) this.falseFindings.push(said);
    }
    this.#open = open;
    return [...open.values()];
  }
}

/** A finding about agents is true beside every fault: on a busy machine agents are kept waiting. */
function isAboutPaths({ kind }: Finding): boolean {
  return kind !== 'observers-missing' && kind !== 'not-listed';
}

/** Whether a finding is about a fault. It may say less of it, but nothing else. */
function names(finding: Finding, { kind, node, pair, zones, groups }: Expected): boolean {
  const subject = { kind, ...(node !== undefined && { node }), ...(pair && { pair }) };
  const regions = { ...(zones && { zones }), ...(groups && { groups }) };
  return lackOf(finding, { ...subject, ...regions }) === undefined;
}
