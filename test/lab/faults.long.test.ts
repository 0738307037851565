import { beforeEach, describe, test } from 'vitest';
import type { Agents } from './lib/agents.js';
import type { Place } from './lib/cells.js';
import { brokenOnly, lossyOnly, reachableSince } from './lib/checks.js';
import * as faults from './lib/faults.js';
import type { Lab } from './lib/lab.js';
import { useMesh } from './lib/mesh.js';
import { probePort, type Family, type Host } from './lib/plan.js';
import { waitFor, type Check } from './lib/wait-for.js';

interface FaultCase {
  readonly title: string;
  readonly inject: (lab: Lab, n1: Host, n2: Host) => Promise<faults.Repair>;
  /** Whether the fault stops probes of this path, or their answers. */
  readonly breaks: (place: Place) => boolean;
}

const touchesN2 = ({ source, target }: Place): boolean =>
  source !== target && (source === 'n2' || target === 'n2');
const isN1WithN2 = (place: Place): boolean => touchesN2(place) && !isWithN3(place);
const isWithN3 = ({ source, target }: Place): boolean => source === 'n3' || target === 'n3';

const faultCases: readonly FaultCase[] = [
  {
    title: 'a host that is cut off and all others are unreachable for each other on both planes',
    inject: (lab, _, n2) => faults.cutOff(lab, n2),
    breaks: touchesN2,
  },
  {
    title: 'a host whose overlay is cut is unreachable on the endpoint plane only',
    inject: (lab, _, n2) => faults.cutOverlay(lab, n2),
    breaks: (place) => touchesN2(place) && place.plane === 'endpoint',
  },
  {
    title: 'a host that drops the probe port fails HTTP of others to it on the host plane only',
    inject: (lab, _, n2) => faults.dropPort(lab, n2, probePort),
    breaks: (place) =>
      touchesN2(place) &&
      place.target === 'n2' &&
      place.plane === 'host' &&
      place.protocol === 'http',
  },
  {
    title: 'a host that drops ICMP echoes fails ICMP to and from it on the host plane only',
    inject: (lab, _, n2) => faults.dropEcho(lab, n2),
    breaks: (place) => touchesN2(place) && place.plane === 'host' && place.protocol === 'icmp',
  },
  {
    title:
      'a pair of which one direction is dropped fails in both directions, and no other pair fails',
    inject: (lab, n1, n2) => faults.dropFrom(lab, n1, n2),
    breaks: isN1WithN2,
  },
];

describe.each<Family>([4, 6])('a cluster over IPv%i', (family) => {
  const mesh = useMesh({ hosts: 3, family });
  let lab: Lab;
  let agents: Agents;
  let n1: Host;
  let n2: Host;

  beforeEach(() => {
    ({ lab, agents } = mesh());
    [n1, n2] = [lab.host('n1'), lab.host('n2')];
  });

  /** Waits until the check holds with the fault, and until all paths work after the repair. */
  async function during(inject: FaultCase['inject'], check: (at: number) => Check): Promise<void> {
    const repair = await inject(lab, n1, n2);
    try {
      await waitFor(agents, check(Date.now()));
    } finally {
      await repair();
    }
    await waitFor(agents, reachableSince(Date.now()));
  }

  test('every agent finds every node reachable, itself included', async () => {
    await waitFor(agents, reachableSince(0));
  });

  for (const { title, inject, breaks } of faultCases) {
    test(title, async () => {
      await during(inject, (at) => brokenOnly(breaks, at));
    });
  }

  test('a host that refuses echoes fails ICMP to it, and the failure names the host that said so', async () => {
    for (const rejecting of [n1, n2]) {
      const words = `administratively prohibited (says ${rejecting.nodeIp})`;
      const isRefused = ({ source, target, plane, protocol }: Place): boolean =>
        source !== target && target === rejecting.name && plane === 'host' && protocol === 'icmp';
      await during(
        (of) => faults.rejectEcho(of, rejecting),
        (at) => {
          const check = brokenOnly(isRefused, at);
          return (cell) =>
            check(cell) ??
            (isRefused(cell) && cell.reason !== words ? `expected ${words}` : undefined);
        },
      );
    }
  });

  test('30 % loss in one direction fails probes of that pair at times, and of no one else', async () => {
    const lose: FaultCase['inject'] = (of, from, to) => faults.loseFrom(of, from, to, 30);
    await during(lose, (at) => lossyOnly(isN1WithN2, at, 10));
  });

  test('agents and responders end with exit code 0 on SIGTERM', async () => {
    await agents.stop();
  });
});
