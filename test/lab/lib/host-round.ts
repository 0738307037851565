import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '../../../api/client/client.js';
import { parseDurationMs } from '../../../api/duration.js';
import type { Finding } from '../../../api/schema/v1/findings.js';
import type { Random } from '../../fuzz/random.js';
import type { LabFault } from './fault-kinds.js';
import type { Repair } from './faults.js';
import { diagnose } from './diagnose.js';
import { lackOf, type Expected } from './findings.js';
import { hostEventKinds, type HostEvent } from './host-events.js';
import { claimsOf, lackOfTimes, type Claim, type HostLedger } from './host-ledger.js';
import type { KernelFigures } from './kernel-figures.js';
import type { Host } from './plan.js';
import type { Mesh } from './start-mesh.js';
import { waitUntilSettled } from './wait-until-settled.js';

/** A fault of paths, and how its sentence goes on after what it is about. */
interface RoundFault {
  readonly fault: LabFault;
  readonly words: RegExp;
  /** The hosts that its finding is about. */
  readonly ends: readonly string[];
}

/** What happens in one round. */
export interface HostRound {
  readonly events: readonly HostEvent[];
  readonly trouble: RoundFault | undefined;
}

/** How a round ended. */
export interface RoundResult {
  readonly round: HostRound;
  /** What agents said that was not so, each once. */
  readonly notMade: readonly string[];
  /** Of each agent that was not right in time, what it lacked. */
  readonly lacks: readonly string[];
  readonly seconds: Readonly<Record<'told' | 'found' | 'closed', number>>;
  /** The findings of the first host when all agents were right. */
  readonly findings: readonly Finding[];
}

export interface ChooseOptions {
  readonly hosts: readonly Pick<Host, 'name' | 'labels'>[];
  readonly seed: number;
  readonly random: Random;
  readonly ofHost: (host: string, other: string, random: Random) => RoundFault;
  /** The fault of a group that this host is of. */
  readonly ofGroup: (host: string, random: Random) => RoundFault;
}

/**
 * Chooses one or two events of different hosts, and mostly a fault of paths. The kind of the first event goes round
 * with the seed, so that so many seeds have all kinds. Mostly the fault is at its host.
 */
export function chooseHostRound(options: ChooseOptions): HostRound {
  const { hosts, seed, random, ofHost, ofGroup } = options;
  const names = hosts.map(({ name }) => name);
  const take = (): string => names.splice(random.below(names.length), 1)[0] ?? '';
  const [host, bystander, other] = [take(), take(), take()];
  const firstKind = hostEventKinds[(seed - 1) % hostEventKinds.length];
  const first = firstKind?.(host);
  if (!first) throw new RangeError(`seed: expected a whole number from 1 on, got ${seed}`);
  const isOfGroup = seed % 4 === 2 && !changesLabels(first);
  // Another label would make other groups.
  const second = hostEventKinds
    .filter((kind) => kind !== firstKind)
    .map((kind) => kind(bystander))
    .filter(({ alone, fault }) => alone === undefined && !fault)
    .filter((event) => !(isOfGroup && changesLabels(event)));
  const events = random.below(2) === 0 ? [first] : [first, random.pick(second)];
  if (first.alone !== undefined) return { events, trouble: undefined };
  if (first.fault) return { events, trouble: { fault: first.fault, words: /./, ends: [host] } };
  return { events, trouble: isOfGroup ? ofGroup(host, random) : ofHost(host, other, random) };
}

function changesLabels({ tells }: HostEvent): boolean {
  return tells.some(({ name }) => name === 'labels');
}

const checkEveryMs = 1000;
/** What is usual on a host is known then. */
const learnedMs = 40_000;
const [toldDeadlineMs, foundDeadlineMs, closedDeadlineMs] = [120_000, 240_000, 300_000];

/**
 * Makes what happens in a round, waits until all agents are right, repairs it, and waits until they find nothing. It does
 * not fail if they are wrong: the result says so.
 */
export async function runHostRound(
  mesh: Mesh,
  round: HostRound,
  ledger: HostLedger,
  kernel: KernelFigures,
): Promise<RoundResult> {
  const { lab, agents } = mesh;
  const { events, trouble } = round;
  const notMade = new Set<string>();
  const judged = new Map<string, boolean>();
  const expected = expectedOf(round);
  let findings: readonly Finding[] = [];

  await until(2 * learnedMs, async (host) => {
    const { uptime } = await agents.healthz(host);
    return (parseDurationMs(uptime) ?? 0) > learnedMs ? undefined : 'is young';
  });
  await kernel.begin(lab);
  const startMs = performance.now();
  const undo: Repair[] = [];
  for (const event of events) {
    const end = ledger.begin(event);
    const repair = await event.make(mesh);
    undo.push(async () => {
      await repair();
      end();
    });
  }
  try {
    const lacksOfEvents = await until(toldDeadlineMs, async (host) => {
      const client = clientOf(mesh, host);
      const lacks = await Promise.all(events.map((event) => lackOfEvent(client, event, host)));
      return lacks.find((lack) => lack !== undefined);
    });
    const toldMs = performance.now();
    await waitUntilSettled(mesh);
    const madeMs = performance.now();
    const repair = trouble ? await mesh.make(trouble.fault) : undefined;
    const lacks = await until(foundDeadlineMs, async (host) => {
      const body = await clientOf(mesh, host).findings();
      const found = aboutPaths(body.findings);
      if (host === lab.hosts[0]) findings = found;
      await judge(
        host,
        found.flatMap((finding) => claimsOf(finding)),
      );
      return lackOfFindings(found, expected, host);
    });
    const foundMs = performance.now();
    await judgeAllNodes();
    if (lacks.length === 0) {
      // While it is asked a finding may close and open again on a machine that is busy.
      const told = await until(foundDeadlineMs, async (host) => {
        if (host !== lab.hosts[0]) return undefined;
        const { code, body } = await diagnose(agents, host);
        const lack = lackOfFindings(aboutPaths(body.findings), expected, host);
        const isRight = code === (expected.length === 0 ? 0 : 4) && lack === undefined;
        return isRight
          ? undefined
          : `meshprobe diagnose: exit code ${code}, ${lack ?? 'as expected'}`;
      });
      lacks.push(...told);
    }
    await repair?.();
    const repairedMs = performance.now();
    for (const one of undo.splice(0)) await one();
    const open = await until(closedDeadlineMs, async (host) => {
      const found = aboutPaths((await clientOf(mesh, host).findings()).findings);
      await judge(
        host,
        found.flatMap((finding) => claimsOf(finding)),
      );
      return found[0]?.id;
    });
    return {
      round,
      notMade: [...notMade],
      lacks: [...lacksOfEvents, ...lacks, ...open.map((lack) => `after the repair: ${lack}`)],
      seconds: {
        told: (toldMs - startMs) / 1000,
        found: (foundMs - madeMs) / 1000,
        closed: (performance.now() - repairedMs) / 1000,
      },
      findings,
    };
  } finally {
    for (const one of undo) await one();
  }

  /** Asks all agents until none lacks anything. Returns what is lacking at the end. */
  async function until(
    deadlineMs: number,
    lackOn: (host: Host) => Promise<string | undefined>,
  ): Promise<string[]> {
    const endMs = performance.now() + deadlineMs;
    for (;;) {
      agents.expectAlive();
      await kernel.look();
      const lacks = await Promise.all(
        lab.hosts.map(async (host) => {
          // An agent that gets no processor for seconds does not answer. It is asked again.
          const lack = await lackOn(host).catch((error: unknown) => String(error));
          return lack === undefined ? [] : [`${host.name}: ${lack}`];
        }),
      );
      if (lacks.flat().length === 0 || performance.now() > endMs) return lacks.flat();
      await delay(checkEveryMs);
    }
  }

  /** Notes what is claimed and was not made. */
  async function judge(by: Host, claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) {
      if (ledger.wasMade(claim)) continue;
      const key = `${claim.host} ${claim.name} ${claim.text}`;
      const isTrue = judged.get(key) ?? (await kernel.isTrue(claim, lab));
      judged.set(key, isTrue);
      if (!isTrue) notMade.add(`${by.name} says of ${claim.host}: ${claim.text}`);
    }
  }

  async function judgeAllNodes(): Promise<void> {
    for (const host of lab.hosts) {
      for (const shows of ['signs', 'changes'] as const) {
        const { nodes } = await clientOf(mesh, host).nodes({ shows });
        for (const node of nodes) await judge(host, claimsOf(node, node.name));
      }
    }
  }
}

function clientOf({ agents }: Mesh, host: Host): Client {
  const address = { kind: 'unix', path: agents.socketPath(host) } as const;
  return createClient({ address, timeoutMs: 30_000 });
}

async function lackOfEvent(
  client: Client,
  event: HostEvent,
  by: Host,
): Promise<string | undefined> {
  const node = await client.node(event.node);
  return lackOfTold(claimsOf(node, node.name), event, by);
}

/** @param isOfGroup of the same on several of its nodes the nearest is told, which may be of a round before */
function lackOfTold(
  claims: readonly Claim[],
  { node, tells }: HostEvent,
  by: Host,
  isOfGroup = false,
): string | undefined {
  const of = claims.filter(({ host }) => isOfGroup || host === node);
  const missing = tells.find(
    (told) =>
      !(told.byOthers && by.name === node) &&
      !of.some(({ name, text }) => name === told.name && (isOfGroup || told.words.test(text))),
  );
  if (!missing) return undefined;
  const got = of.map(({ text }) => text).join(', ');
  return `expected of ${node} the ${missing.name} ${missing.words}, got ${got || 'nothing'}`;
}

interface ExpectedFinding {
  readonly fields: Expected;
  readonly words: RegExp;
  /** What is to stand beside it. */
  readonly beside: readonly HostEvent[];
}

function expectedOf({ events, trouble }: HostRound): ExpectedFinding[] {
  const alone = events.flatMap((event): ExpectedFinding[] => {
    if (!event.alone) return [];
    const [told] = event.tells;
    const words = new RegExp(told?.words.source.replace('^', '') ?? '.');
    return [{ fields: event.alone, words, beside: [] }];
  });
  if (!trouble) return alone;
  const { fault, words, ends } = trouble;
  const beside = events.filter(({ node }) => ends.includes(node));
  return [{ fields: fault.expected, words, beside }, ...alone];
}

function lackOfFindings(
  found: readonly Finding[],
  expected: readonly ExpectedFinding[],
  by: Host,
): string | undefined {
  const left = [...found];
  for (const { fields, words, beside } of expected) {
    const at = left.findIndex((finding) => lackOf(finding, fields) === undefined);
    const [finding] = at === -1 ? [] : left.splice(at, 1);
    if (!finding) return lackOf(found[0], fields) ?? 'expected one more finding';
    if (!words.test(finding.text)) return `expected ${words}, got ${finding.text}`;
    const claims = claimsOf(finding);
    const lack =
      beside
        .map((event) => lackOfTold(claims, event, by, finding.group !== undefined))
        .find((one) => one !== undefined) ?? lackOfTimes(finding);
    if (lack !== undefined) return `${finding.id}: ${lack}`;
  }
  const [other] = left;
  return other && `expected no other finding, got ${other.id}: ${other.text}`;
}

/** A machine that is busy keeps agents waiting, and they say so. */
function aboutPaths(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ kind }) => kind !== 'observers-missing');
}
