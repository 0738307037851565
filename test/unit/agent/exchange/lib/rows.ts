import { noticePhases, type RowReceiver } from '../../../../../agent/model/row-notices.js';
import { channels, perChannel } from '../../../../../agent/model/channel.js';
import { failureKinds, pathFailureKinds } from '../../../../../agent/model/failure.js';
import { planes, type Plane } from '../../../../../agent/model/path.js';
import { listOf } from '../../../../../agent/model/row-coverage.js';
import {
  hostChanges,
  hostSigns,
  type RowChange,
  type RowSign,
} from '../../../../../agent/model/row-host.js';
import {
  tunnelKinds,
  type RowLarge,
  type RowLargeLoss,
  type RowLargePass,
} from '../../../../../agent/model/row-large.js';
import type { Row, RowPath, RowPathState, RowSweep } from '../../../../../agent/model/row.js';
import { rowTargetStates, type RowTarget } from '../../../../../agent/model/target.js';
import { keepRow } from '../../../../../agent/peers/row/kept-row.js';
import { encodeRow } from '../../../../../agent/peers/row/row-text.js';
import type { Random } from '../../../../fuzz/random.js';
import { makeRow } from '../../../../rows/make-row.js';

/** A peer's row, all of it at once, as it is read from parsed JSON; undefined if it is refused. */
export function decodeRow(observer: string, value: unknown): Row | undefined {
  return keepRow(observer, value)?.toJSON();
}

/** A peer's row that its observer sends: well, but for what is said. */
export function sentRow(more: Partial<Row> = {}): Record<string, unknown> {
  return JSON.parse(encodeRow({ ...wellRow(), ...more })) as Record<string, unknown>;
}

/** What is read of a well row with these fields as a peer would send them; undefined if it is refused. */
export function readFields(fields: Readonly<Record<string, unknown>>): Row | undefined {
  return decodeRow('c/a', { ...sentRow(), ...fields });
}

/** What is read of the paths to a node that has one entry, as a peer would send it. */
export const readPath = (entry: unknown) => readFields({ nodes: [['c/n', 0, entry]] })?.paths;

/** A row as its reader has it. */
export function travelled(row: Row): Row | undefined {
  return decodeRow(row.observer, JSON.parse(encodeRow(row)));
}

const pathStates: readonly RowPathState[] = ['unreachable', 'lossy', 'slow', 'unknown'];

/** The row of an agent whose paths all work. */
export function wellRow(observer = 'c/a'): Row {
  return makeRow(observer, [], 40, { version: '1.2.3' });
}

/** A random row that names this many nodes. */
export function randomRow(random: Random, nodes: readonly string[], observer = 'c/a'): Row {
  const counts = () => {
    const reachable = random.below(5000);
    const degraded = random.below(reachable + 1);
    return { reachable, unreachable: random.below(5000), unknown: random.below(50), degraded };
  };
  const paths = nodes.flatMap((node): RowPath[] =>
    channels
      .filter((_, index) => index === 0 || random.below(2) === 0)
      .map((channel): RowPath => {
        const state = random.pick(pathStates);
        const failure = random.below(2) === 0 ? { failure: random.pick(pathFailureKinds) } : {};
        const sent = { node, ...channel, state, ageSeconds: random.below(100_000) };
        const isLossyHttp = state === 'lossy' && channel.protocol === 'http';
        if (!isLossyHttp || random.below(2) === 0) return { ...sent, ...failure };
        const tried = 2 + random.below(63);
        const failing = 1 + random.below(tried - 1);
        const sometimes = random.below(tried - failing + 1);
        return { ...sent, flows: { tried, failing, sometimes } };
      }),
  );
  const targets = Array.from({ length: random.below(17) }, (_, index) =>
    planes.map((plane) => randomTarget(random, `target-${index}`, index * 0x0fff_ffff, plane)),
  ).flat();
  const large = randomLarge(random, nodes);
  const sweeps = channels.flatMap((channel): RowSweep[] => {
    const sent = { ...channel, intervalMs: random.below(100_000) };
    if (random.below(3) === 0) return [];
    if (random.below(3) === 0) return [sent];
    const sweptSeconds = random.below(1000);
    const unanswered = sweptSeconds % 3 > 0 && { unansweredSeconds: 999 - sweptSeconds };
    return [{ ...sent, sweptSeconds, ...unanswered }];
  });
  const signs = hostSigns
    .filter(() => random.below(6) === 0)
    .slice(0, 8)
    .map((sign): RowSign => {
      const [value, limit] = [random.below(2 ** 32), random.below(1e12)];
      const about = random.pick(['', 'eth0', 'bond0.12']);
      return {
        sign,
        plane: random.pick(planes),
        ageSeconds: random.below(1e5),
        value,
        limit,
        about,
        ...(random.below(4) === 0 && { orBefore: true as const }),
      };
    });
  const changes = Array.from({ length: random.below(5) }, (): RowChange => ({
    change: random.pick(hostChanges),
    ageSeconds: random.below(3600),
    withinSeconds: random.below(11),
    about: random.pick(['', 'eth0']),
    from: random.pick(['', '1500', '192.0.2.1/24, fd00::1/64']),
    to: random.pick(['1400', '0.2.0']),
  }));
  const few = 1 + random.below(16);
  const heard = nodes.filter(() => random.below(3) === 0);
  const notices = randomNotices(random);
  return {
    observer,
    version: '1.2.3',
    httpIntervalMs: 66_667,
    httpTimeoutMs: 1000,
    health: {
      ready: random.below(2) === 0,
      starved: random.below(2) === 0,
      notSending: random.below(2) === 0 ? ['icmp'] : [],
    },
    ...(random.below(2) === 0 && {
      refutation: {
        afterMs: random.below(100_000),
        forMs: random.below(10_000),
        perSecond: random.below(300),
      },
    }),
    ...(random.below(2) === 0 && { list: listOf(nodes.map(() => random.below(2 ** 32))) }),
    counts: perChannel(counts),
    ...(sweeps.length > 0 && { sweeps }),
    paths,
    ...(nodes.length > few && { namedByZone: nodes.slice(-few) }),
    omittedNodes: random.below(100),
    zones: ['', 'eu-1/a', 'eu-1/b'].flatMap((zone) =>
      channels.map((channel) => ({
        zone,
        ...channel,
        paths: random.below(2000),
        p50Ns: 1000 * (1 + random.below(100)),
        p99Ns: 1_000_000,
      })),
    ),
    ...(heard.length > 0 && { heard }),
    ...(targets.length > 0 && { targets }),
    ...(large && { large }),
    ...(signs.length > 0 && { signs }),
    ...(notices.length > 0 && { notices }),
    ...(changes.length > 0 && { changes }),
  };
}

/** What up to four receivers were told: what is open first, then the newest first. */
function randomNotices(random: Random): RowReceiver[] {
  return Array.from({ length: random.below(5) }, (_, receiver) => ({
    digest: receiver * 2 ** 40 + random.below(2 ** 32),
    version: random.below(1000),
    failures: random.below(256),
    isBeingSent: random.below(2) === 0,
    triedSeconds: random.below(4000),
    sent: Array.from({ length: random.below(33) }, (_, at) => ({
      digest: at * 2 ** 40 + random.below(2 ** 32),
      version: random.below(100),
      phase: random.pick(noticePhases),
      ageSeconds: 100 * at,
      ...(random.below(2) === 0 && { hour: random.below(2 ** 21) }),
    })).sort((a, b) => Number(a.phase === 'closed') - Number(b.phase === 'closed')),
  }));
}

/** Of at most four nodes, so that all of it has room in a row. */
function randomLarge(random: Random, nodes: readonly string[]): RowLarge | undefined {
  if (random.below(2) === 0) return undefined;
  const lost: RowLargeLoss[] = [];
  const passed: RowLargePass[] = [];
  for (const node of nodes.slice(0, 4)) {
    for (const plane of planes) {
      const path = { node, plane, ageSeconds: random.below(100_000) };
      if (random.below(2) === 0) passed.push(path);
      else
        lost.push({
          ...path,
          ...(random.below(2) === 0 && { isBack: true }),
          ...randomLimit(random),
        });
    }
  }
  return { lost, passed };
}

function randomLimit(random: Random): Pick<RowLargeLoss, 'limit'> {
  if (random.below(3) === 0) return {};
  const bytes = 68 + random.below(1400);
  const saidBy = random.below(2) === 0 ? { saidBy: random.pick(['192.0.2.1', 'fe80::1']) } : {};
  const tunnels = tunnelKinds.filter(() => random.below(6) === 0);
  const devices = tunnels.length > 0 ? { tunnels } : {};
  const interfaceBytes = bytes + 1 + random.below(8000);
  return { limit: { bytes, interfaceBytes, ...saidBy, ...devices } };
}

function randomTarget(random: Random, target: string, digest: number, plane: Plane): RowTarget {
  const p50Ns = 1 + random.below(1e6);
  return {
    target,
    digest,
    plane,
    state: random.pick(rowTargetStates),
    ageSeconds: random.below(100_000),
    probedSeconds: random.below(10_000),
    ...(random.below(2) === 0 && { failure: random.pick(failureKinds) }),
    ...(random.below(3) > 0 && { p50Ns, p99Ns: p50Ns + random.below(1e6) }),
    ...(random.below(4) === 0 && { failingServers: [0, 3, 15].slice(random.below(3)) }),
    ...(random.below(3) === 0 && {
      servers: { count: 1 + random.below(3), digest: random.below(2 ** 32) },
    }),
  };
}
