import { EventLog, type Change } from '../../../agent/reports/event-log.js';
import type {
  NodeFilter,
  UnknownLabel,
  UnknownName,
  V1Source,
} from '../../../api/routes/v1/source.js';
import type { Plane, Protocol } from '../../../api/schema/v1/fields.js';
import type { Evidence, Finding, Findings } from '../../../api/schema/v1/findings.js';
import type { NodeMatrix, ZoneCell, ZoneMatrix } from '../../../api/schema/v1/matrix.js';
import type { NodeEntry, OwnPath } from '../../../api/schema/v1/nodes.js';
import type { MatrixQuery, TargetMatrixQuery } from '../../../api/schema/v1/queries.js';
import type { ClusterVerdict, Summary } from '../../../api/schema/v1/summary.js';
import type { TargetBody, TargetDetail, Targets } from '../../../api/schema/v1/targets.js';
import { targetNodeMatrix, targetZoneMatrix } from '../targets.js';
import { channelsOf, nodeMatrixOf } from './node-matrix.js';

export interface ClusterOptions {
  readonly nodes: number;
  readonly zones: readonly string[];
  /** Names that stand in for the first made-up ones. */
  readonly names?: readonly string[];
  /** The labels of each node, by which they are grouped beside their zones. */
  readonly labelsOf?: (index: number) => Readonly<Record<string, string>>;
}

export interface MadeUpNode {
  readonly name: string;
  readonly zone: string;
  readonly index: number;
  readonly labels: Readonly<Record<string, string>>;
}

const planes: readonly Plane[] = ['host', 'endpoint'];
const protocols: readonly Protocol[] = ['icmp', 'http'];

/** A fault: which pairs it makes fail, and the finding that an agent would tell. */
interface Fault {
  readonly finding: Finding;
  readonly hits: (from: MadeUpNode, to: MadeUpNode, plane: Plane, protocol: Protocol) => boolean;
  readonly state: 3 | 4;
}

/** What of a finding is not the same with all faults. */
type Told = Pick<Finding, 'kind' | 'text'> & Partial<Finding>;

type Untimed<One> = One extends unknown
  ? { [Key in keyof One as Key extends 'at' ? never : Key]: One[Key] }
  : never;

/**
 * A cluster that never was, the same in every run: nodes in zones, faults that are put in and taken
 * out by hand. It says what an agent on its first node would know, in the bodies of `/v1`.
 */
export class MadeUpCluster implements V1Source {
  readonly members: readonly MadeUpNode[];
  readonly groupBy: readonly string[];
  readonly silent = new Set<string>();
  readonly cordoned = new Set<string>();
  /** Observers whose rows are old. */
  readonly stale = new Set<string>();
  /** How many rows a matrix by node has at most. */
  maxRows = Infinity;
  /** Failing pairs of which the agent says that it does not know the cause. */
  unexplained = 0;
  /** Why the agent does not know how the cluster is; undefined: it knows. */
  notKnown: string | undefined;
  /** Whether the past probes of a path that works are all answered. */
  losesNothing = false;
  /** Whether nodes have health endpoints. */
  hasEndpoints = true;
  /** The protocols that the agent does not probe, and what is wrong with itself. */
  notProbed: NonNullable<Summary['notProbed']> = [];
  problems: NonNullable<Summary['problems']> = [];
  /** What it lives on. */
  lives: TargetBody[] = [];
  /** What the host of each node shows, and what changed on it. */
  readonly hosts = new Map<string, Pick<NodeEntry, 'signs' | 'changes'>>();
  readonly events = new EventLog();
  readonly #faults = new Map<string, Fault>();
  #generation = 1;

  constructor({ nodes, zones, names = [], labelsOf = () => ({}) }: ClusterOptions) {
    const perZone = Math.ceil(nodes / zones.length);
    this.members = Array.from({ length: nodes }, (_, index) => {
      const zone = zones[Math.floor(index / perZone)] ?? '';
      const number = String((index % perZone) + 1).padStart(String(perZone).length, '0');
      const name = names[index] ?? `prod/${zone || 'node'}-${number}`;
      return { name, zone, index, labels: labelsOf(index) };
    });
    this.groupBy = [
      ...new Set(['zone', ...this.members.flatMap(({ labels }) => Object.keys(labels))]),
    ];
  }

  get self(): MadeUpNode {
    return this.member(this.members[0]?.name ?? '');
  }

  /** The node of that name, with its cluster or without it. */
  find(name: string): MadeUpNode | undefined {
    return this.members.find((one) => one.name === name || bare(one.name) === name);
  }

  member(name: string): MadeUpNode {
    const node = this.members.find((one) => one.name === name);
    if (!node) throw new Error(`no made-up node ${name}`);
    return node;
  }

  /** The endpoint of a node is cut off, as by a broken overlay. */
  breakEndpoint(name: string): void {
    const others = this.members.length - 1;
    this.#open({
      kind: 'endpoint-plane',
      node: name,
      plane: 'endpoint',
      protocols: ['icmp', 'http'],
      direction: 'both',
      text: `${others} of ${others} nodes cannot reach the endpoint of ${name}; its node IP answers all of them`,
      next: [
        `kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=${bare(name)}`,
        `kubectl -n kube-system logs -l k8s-app=cilium --field-selector spec.nodeName=${bare(name)} --tail=50`,
      ],
      hits: (from, to, plane) => plane === 'endpoint' && to.name === name && from.name !== name,
    });
  }

  kill(name: string): void {
    const others = this.members.length - 1;
    this.silent.add(name);
    this.#open({
      kind: 'node-down',
      node: name,
      text: `${name} is down: ${others} of ${others} nodes get no answer on either plane, and nothing has been heard from it`,
      next: [`kubectl describe node ${bare(name)}`, `ping -c 3 ${this.addresses(name).host[0]}`],
      hits: (from, to) => to.name === name && from.name !== name,
    });
  }

  cutZones(a: string, b: string): void {
    const share = (zone: string): number => this.members.filter((one) => one.zone === zone).length;
    this.#open({
      id: `zones:${a}:${b}`,
      kind: 'zones',
      zones: [a, b],
      explains: share(a) * share(b) * 4,
      text: `No node of zone ${a} reaches zone ${b}; paths within each zone work`,
      next: [`traceroute ${this.addresses(this.members.at(-1)?.name ?? '').host[0]}`],
      hits: (from, to) => from.zone === a && to.zone === b,
    });
  }

  failPair(from: string, to: string): void {
    this.#open({
      id: `pair:${from}:${to}`,
      kind: 'pair',
      pair: [from, to],
      explains: 4,
      text: `${from} does not reach ${to}; both reach all others`,
      next: [`traceroute ${this.addresses(to).host[0]}`],
      hits: (one, other) => one.name === from && other.name === to,
    });
  }

  /** No node with this value of a label answers ping at its node IP. */
  breakGroup(label: string, value: string): void {
    const has = (node: MadeUpNode) => node.labels[label] === value;
    const nodes = this.members.filter(has).length;
    this.#open({
      id: `group:${label}=${value}`,
      kind: 'group',
      group: { label, value, nodes },
      plane: 'host',
      protocols: ['icmp'],
      text: `the ${nodes} nodes with ${label} ${value} and no other do not answer ping at their node IPs`,
      hits: (from, to, plane, protocol) =>
        plane === 'host' && protocol === 'icmp' && has(to) && from.name !== to.name,
    });
  }

  /** No node with one value of a label reaches one with the other value. */
  cutGroups(label: string, values: readonly [string, string]): void {
    const [a, b] = values;
    const is = (node: MadeUpNode, value: string) => node.labels[label] === value;
    this.#open({
      id: `groups:${label}=${a},${label}=${b}`,
      kind: 'group',
      groups: values.map((value) => ({
        label,
        value,
        nodes: this.members.filter((node) => is(node, value)).length,
      })),
      protocols: ['icmp', 'http'],
      text: `the nodes with ${label} ${a} and those with ${label} ${b} cannot reach each other`,
      hits: (from, to) => (is(from, a) && is(to, b)) || (is(from, b) && is(to, a)),
    });
  }

  loseProbes(name: string): void {
    this.#open({
      kind: 'lossy',
      node: name,
      severity: 'degraded',
      plane: 'host',
      protocols: ['icmp'],
      text: `${name} loses 4 % of the probes from all zones since this morning`,
      next: [`ip -s link`],
      hits: (from, to, plane) => plane === 'host' && to.name === name && from.name !== name,
      state: 3,
    });
  }

  /** No node reaches what it lives on. */
  breakTarget(target: string): void {
    this.#open({
      id: `target-down:${target}`,
      kind: 'target-down',
      target,
      evidence: [],
      text: `${target} does not answer: 0 of ${this.members.length} nodes reach it`,
      next: [`meshprobe targets ${target}`],
      hits: () => false,
    });
  }

  repair(): void {
    for (const { finding } of this.#faults.values()) this.#tellFinding('closed', finding);
    this.#faults.clear();
    this.silent.clear();
  }

  addresses(name: string): { host: string[]; endpoint: string[] } {
    const { index } = this.member(name);
    const tail = `${Math.floor(index / 250)}.${(index % 250) + 1}`;
    return {
      host: [`198.18.${tail}`],
      endpoint: this.hasEndpoints ? [`198.19.${tail}`] : [],
    };
  }

  /** The byte of a cell of the node matrix. */
  state(from: MadeUpNode, to: MadeUpNode, plane: Plane, protocol: Protocol): number {
    if (this.silent.has(from.name)) return 0;
    if (this.cordoned.has(to.name)) return 5;
    let worst = 2;
    for (const { hits, state } of this.#faults.values()) {
      if (hits(from, to, plane, protocol)) worst = Math.max(worst, state);
    }
    return worst;
  }

  rttNs(from: MadeUpNode, to: MadeUpNode, protocol: Protocol): number {
    const base = from.zone === to.zone ? 90_000 : 640_000;
    const noise = ((from.index * 7919 + to.index * 104_729) % 97) / 97;
    return Math.round(base * (1 + noise * 0.5) * (protocol === 'http' ? 2.6 : 1));
  }

  #openFindings(): Finding[] {
    const findings = [...this.#faults.values()].map(({ finding }) => finding);
    return findings.sort((a, b) => a.severity.localeCompare(b.severity));
  }

  get observers() {
    const silent = this.silent.size;
    // The agent that answers is none of them: it needs no row of itself.
    const others = this.members.length - 1;
    return { fresh: others - silent, stale: 0, silent, oldestSeconds: 4.1 };
  }

  summary(): Summary {
    const findings = this.#openFindings();
    const isBroken = findings.some(({ severity }) => severity === 'broken');
    const found: ClusterVerdict = isBroken ? 'broken' : findings.length > 0 ? 'degraded' : 'ok';
    const reason = this.notKnown ?? findings[0]?.text;
    const isProbed = (protocol: Protocol) =>
      this.notProbed.every((one) => one.protocol !== protocol);
    const countsOf = (plane: Plane) => ({
      ...(isProbed('icmp') && { icmp: this.#ownCounts(plane, 'icmp') }),
      ...(isProbed('http') && { http: this.#ownCounts(plane, 'http') }),
    });
    const excluded = this.cordoned.size;
    return {
      node: this.self.name,
      at: new Date().toISOString(),
      generation: this.#generation,
      verdict: this.notKnown === undefined ? found : 'unknown',
      ...(reason !== undefined && { reason }),
      nodes: { active: this.members.length - excluded, joining: 0, leaving: 0, excluded },
      clusters: new Set(this.members.map(({ name }) => name.split('/', 1)[0])).size,
      groupBy: [...this.groupBy],
      observers: this.observers,
      paths: { host: countsOf('host'), endpoint: countsOf('endpoint') },
      findings: findings.length,
      ...(this.unexplained > 0 && { unexplained: this.unexplained }),
      ...(this.notProbed.length > 0 && { notProbed: this.notProbed }),
      problems: this.problems,
      plan: {},
    };
  }

  findings(): Findings {
    const { observers, unexplained } = this;
    return {
      at: new Date().toISOString(),
      observers,
      findings: this.#openFindings(),
      ...(unexplained > 0 && { unexplained }),
    };
  }

  matrix(query: MatrixQuery): ZoneMatrix | NodeMatrix | UnknownLabel {
    const { by } = query;
    if (by === 'node') return nodeMatrixOf(this, query);
    if (!this.groupBy.includes(by)) return { label: by, nearest: undefined };
    const valueOf = ({ zone, labels }: MadeUpNode) => (by === 'zone' ? zone : (labels[by] ?? ''));
    const channels = channelsOf(query);
    const counted = channels.map(({ plane, protocol }) =>
      this.#valueCells(plane, protocol, valueOf).map((cell): ZoneCell =>
        channels.length === 1 ? cell : { ...cell, plane, protocol },
      ),
    );
    const isWorse = (a: ZoneCell, b: ZoneCell) =>
      a.failing > b.failing || (a.failing === b.failing && a.degraded > b.degraded);
    const cells = counted.reduce((worst, more) =>
      worst.map((cell, at) => {
        const other = more[at] ?? cell;
        return isWorse(other, cell) ? other : cell;
      }),
    );
    const zones = [...new Set(this.members.map(valueOf))];
    return { at: new Date().toISOString(), ...(by !== 'zone' && { by }), zones, cells };
  }

  nodes({ state, zone, name = '', afterName, limit }: NodeFilter): NodeEntry[] {
    return this.members
      .filter((node) => node.name.includes(name) && (zone === undefined || node.zone === zone))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .filter((node) => afterName === undefined || node.name > afterName)
      .map((node) => this.entry(node))
      .filter(({ verdict }) => state === undefined || verdict === state)
      .slice(0, limit);
  }

  node(name: string): NodeEntry | UnknownName {
    const member = this.find(name);
    if (!member) return { nearest: undefined };
    const targets = this.lives.flatMap(({ name: target, planes: ofTarget }) =>
      planes.map((plane) => {
        const fails = ofTarget[plane]?.notFrom.includes(member.name) === true;
        const seen = fails ? ('unreachable' as const) : ('reachable' as const);
        return { name: target, plane, state: seen, ...(!fails && { p50Ns: 420_000 }) };
      }),
    );
    const host = this.hosts.get(member.name);
    return { ...this.entry(member), ...(targets.length > 0 && { targets }), ...host };
  }

  targets(): Targets {
    return { at: new Date().toISOString(), targets: this.lives };
  }

  target(name: string): TargetDetail | UnknownName {
    const target = this.lives.find((one) => one.name === name);
    return target ? { ...target, at: new Date().toISOString() } : { nearest: undefined };
  }

  targetMatrix({
    target: name,
    by,
    zone,
    nodes,
  }: TargetMatrixQuery): ZoneMatrix | NodeMatrix | UnknownName {
    const target = this.lives.find((one) => one.name === name);
    if (!target) return { nearest: undefined };
    const at = new Date().toISOString();
    if (by === 'zone') return targetZoneMatrix(target, this.members, at);
    const chosen = this.members
      .filter((one) => zone === undefined || one.zone === zone)
      .filter((one) => nodes?.includes(one.name) ?? true);
    return targetNodeMatrix(target, chosen, at);
  }

  #valueCells(plane: Plane, protocol: Protocol, valueOf: (node: MadeUpNode) => string): ZoneCell[] {
    const values = [...new Set(this.members.map(valueOf))];
    const at = new Map(values.map((value, index) => [value, index]));
    const cells = values.flatMap((from) =>
      values.map((to) => {
        const isSame = from === to;
        const p50Ns = (isSame ? 112_000 : 800_000) * (protocol === 'http' ? 2.6 : 1);
        const none = { pairs: 0, failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
        return { from, to, ...none, p50Ns, p99Ns: p50Ns * 2 };
      }),
    );
    for (const from of this.members) {
      for (const to of this.members) {
        const cell =
          cells[(at.get(valueOf(from)) ?? 0) * values.length + (at.get(valueOf(to)) ?? 0)];
        const state = this.state(from, to, plane, protocol);
        if (!cell || state === 5) continue;
        cell.pairs += 1;
        if (state === 4) cell.failing += 1;
        if (state === 3) {
          cell.lossy += 1;
          cell.degraded += 1;
        }
        if (state < 2) cell.unknown += 1;
      }
    }
    return cells;
  }

  entry({ name, zone, labels }: MadeUpNode): NodeEntry {
    const to = this.member(name);
    const path = (plane: Plane, protocol: Protocol): OwnPath => {
      const state = this.state(this.self, to, plane, protocol);
      const since = new Date(Date.now() - 3_600_000).toISOString();
      if (state === 4) return { state: 'unreachable', failure: 'Connection timed out', since };
      const rttNs = this.rttNs(this.self, to, protocol);
      return {
        state: 'reachable',
        rttNs,
        since,
        ...(state === 3 && { lossy: true, degraded: true }),
      };
    };
    const looking = this.members.filter((from) => !this.silent.has(from.name));
    const worst = looking.map((from) =>
      Math.max(
        ...planes.flatMap((plane) =>
          protocols.map((protocol) => this.state(from, to, plane, protocol)),
        ),
      ),
    );
    const unreachable = worst.filter((state) => state === 4).length;
    const isCordoned = this.cordoned.has(name);
    return {
      name,
      ...(zone !== '' && { zone }),
      ...(Object.keys(labels).length > 0 && { labels }),
      lifecycle: isCordoned ? { phase: 'excluded', reason: 'cordoned' } : { phase: 'active' },
      addresses: this.addresses(name),
      verdict: isCordoned
        ? 'excluded'
        : unreachable > 0
          ? 'broken'
          : worst.includes(3)
            ? 'degraded'
            : 'ok',
      paths: {
        host: { icmp: path('host', 'icmp'), http: path('host', 'http') },
        ...(this.hasEndpoints && {
          endpoint: { icmp: path('endpoint', 'icmp'), http: path('endpoint', 'http') },
        }),
      },
      seenBy: { reachable: looking.length - unreachable, unreachable, of: looking.length },
    };
  }

  /** The MTU of a node's interface went down, as its host found so many seconds ago. */
  changeMtu(name: string, secondsAgo: number): void {
    const at = new Date(Date.now() - 1000 * secondsAgo).toISOString();
    const text = 'interface eth0 went from MTU 1500 to 1400';
    const change = { change: 'interface-mtu', text, withinSeconds: 10, from: '1500', to: '1400' };
    this.hosts.set(name, { ...this.hosts.get(name), changes: [{ at, ...change }] });
    this.tell({ type: 'change', node: name, foundAt: at, ...change });
  }

  /** The table of connections of a node is full. */
  fillConntrack(name: string): void {
    const since = new Date(Date.now() - 96_000).toISOString();
    const text = 'conntrack table full (262,144 of 262,144)';
    const [value, limit] = [262_144, 262_144];
    const sign = { sign: 'conntrack-full', text, value, limit, since, plane: 'host' } as const;
    this.hosts.set(name, { ...this.hosts.get(name), signs: [sign] });
  }

  tell(change: Untimed<Change>): void {
    this.events.add({ at: new Date().toISOString(), ...change });
    this.#generation += 1;
  }

  #ownCounts(plane: Plane, protocol: Protocol) {
    const counts = { reachable: 0, unreachable: 0, unknown: 0, lossy: 0, slow: 0, degraded: 0 };
    for (const to of this.members) {
      if (plane === 'endpoint' && !this.hasEndpoints) break;
      const state = this.state(this.self, to, plane, protocol);
      if (state === 4) counts.unreachable += 1;
      if (state === 2 || state === 3) counts.reachable += 1;
      if (state === 3) {
        counts.lossy += 1;
        counts.degraded += 1;
      }
    }
    return counts;
  }

  /** The finding about a fault: all other nodes see it, since a minute and a half. */
  #finding(told: Told): Finding {
    const { node: name = '', plane = 'host' } = told;
    const observers = this.members.slice(1).filter((one) => one.name !== name);
    const { signs = [], changes = [] } = this.hosts.get(name) ?? {};
    const since = new Date(Date.now() - 95_000).toISOString();
    const evidence = observers.slice(0, 10).map((from): Evidence => ({
      from: from.name,
      to: name === '' ? (this.members.at(-1)?.name ?? '') : name,
      plane,
      protocol: 'icmp',
      failure: 'Connection timed out',
      since,
    }));
    const others = this.members.length - 1;
    return {
      id: `${told.kind}:${name}`,
      severity: 'broken',
      since,
      seenBy: { failing: others, of: others },
      explains: 2 * others,
      confidence: 0.97,
      next: [],
      evidence,
      ...(signs.length > 0 && { signs: signs.map((sign) => ({ node: name, ...sign })) }),
      ...(changes.length > 0 && {
        changes: changes.map((change) => ({ node: name, ...change })),
      }),
      ...told,
    };
  }

  #open({
    hits,
    state = 4,
    ...told
  }: Told & Pick<Fault, 'hits'> & Partial<Pick<Fault, 'state'>>): void {
    const finding = this.#finding(told);
    this.#faults.set(finding.id, { finding, hits, state });
    for (const to of this.members) {
      for (const plane of planes) {
        for (const protocol of protocols) {
          if (state !== 4 || !hits(this.self, to, plane, protocol)) continue;
          this.tell({
            type: 'path',
            node: to.name,
            plane,
            protocol,
            address: this.addresses(to.name)[plane][0] ?? '',
            previousState: 'reachable',
            state: 'unreachable',
            failure: 'Connection timed out',
          });
        }
      }
    }
    this.#tellFinding('opened', finding);
  }

  #tellFinding(change: 'opened' | 'closed', { id, kind, severity, node, text }: Finding): void {
    this.tell({
      type: 'finding',
      change,
      finding: id,
      kind,
      severity,
      ...(node !== undefined && { node }),
      text,
    });
  }
}

function bare(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
