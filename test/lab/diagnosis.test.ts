import { beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import type { Agents } from './lib/agents.js';
import { reachableSince } from './lib/checks.js';
import * as faults from './lib/faults.js';
import { diagnose, lackOf, waitForFindings, type Expected } from './lib/findings.js';
import { createLab, type Lab } from './lib/lab.js';
import { probePort, type Host } from './lib/plan.js';
import { missingFor, missingForQueues } from './lib/requirements.js';
import { waitFor } from './lib/wait-for.js';

const missing = missingFor(4);
/** The settings of an agent that is given none. */
const defaults = { 'icmp-interval': '1s', 'http-interval': '5s', 'probe-timeout': '1s' };
const zones = ['zone-a', 'zone-b', 'zone-c'];

/** A fault to inject. n1 and n4 are in zone-a, n2 and n5 in zone-b, n3 and n6 in zone-c. */
interface FaultCase {
  readonly title: string;
  readonly inject: (lab: Lab, agents: Agents) => Promise<faults.Repair>;
  readonly expected: Expected;
  /** The finding that this host is expected to have instead. */
  readonly insteadOn?: (host: Host) => Expected | undefined;
  /** The host whose agent cannot be asked. */
  readonly mute?: string;
  /** The agents need minutes to tell this fault from chance. */
  readonly deadlineMs?: number;
  /**
   * The finding stays open for minutes after the repair. So this case comes last and disturbs no
   * other one.
   */
  readonly staysOpen?: true;
  readonly missing?: string | undefined;
}

const deadlineMs = 180_000;
const slowDeadlineMs = 400_000;
/** A slow path recovers only after many answers, and HTTP has few of them. */
const closeDeadlineMs = 400_000;

const faultCases: readonly FaultCase[] = [
  {
    title: 'a host that is unplugged is node-down for the others, and node-isolated for itself',
    inject: (lab) => faults.cutOff(lab, lab.host('n2')),
    expected: { kind: 'node-down', node: 'n2' },
    insteadOn: ({ name }) =>
      name === 'n2' ? { kind: 'node-isolated', node: 'n2', local: true } : undefined,
  },
  {
    title: 'a host that drops all requests is node-isolated, inbound, if its own requests work',
    inject: (lab) => faults.dropRequests(lab, lab.host('n3'), probePort),
    expected: { kind: 'node-isolated', node: 'n3', direction: 'inbound' },
  },
  {
    title: 'a host whose agent is frozen is agent-down',
    inject: (lab, agents) => {
      agents.pause(lab.host('n4'));
      return Promise.resolve(undoing(() => agents.resume(lab.host('n4'))));
    },
    expected: { kind: 'agent-down', node: 'n4', plane: 'host' },
    mute: 'n4',
  },
  {
    title: 'a host whose endpoint has a frozen responder is endpoint-down',
    inject: (lab, agents) => {
      agents.pauseResponder(lab.host('n5'));
      return Promise.resolve(undoing(() => agents.resumeResponder(lab.host('n5'))));
    },
    expected: { kind: 'endpoint-down', node: 'n5', plane: 'endpoint' },
  },
  {
    title: 'a host whose node IP is filtered is host-plane',
    inject: (lab) => faults.cutNodeIp(lab, lab.host('n6')),
    expected: { kind: 'host-plane', node: 'n6', plane: 'host' },
  },
  {
    title: 'a host whose overlay is cut is endpoint-plane, both ways',
    inject: (lab) => faults.cutOverlay(lab, lab.host('n1')),
    expected: { kind: 'endpoint-plane', node: 'n1', plane: 'endpoint', direction: 'both' },
  },
  {
    title: 'a host that drops echoes is icmp-filtered',
    inject: (lab) => faults.dropAllEchoes(lab, lab.host('n3')),
    expected: { kind: 'icmp-filtered', node: 'n3' },
  },
  {
    title: 'hosts that all drop echoes are one icmp-filtered without a node',
    inject: async (lab) =>
      faults.together(await Promise.all(lab.hosts.map((host) => faults.dropAllEchoes(lab, host)))),
    expected: { kind: 'icmp-filtered' },
  },
  {
    title: 'a host that drops the probe port is http-filtered',
    inject: (lab) => faults.dropPortEverywhere(lab, lab.host('n4'), probePort),
    expected: { kind: 'http-filtered', node: 'n4' },
  },
  {
    // No row travels then: each host can only tell what it sees itself.
    title: 'hosts that all drop the probe port are http-filtered, as each of them says',
    inject: async (lab) =>
      faults.together(
        await Promise.all(lab.hosts.map((host) => faults.dropPortEverywhere(lab, host, probePort))),
      ),
    expected: { kind: 'http-filtered' },
  },
  {
    title: 'two zones that are cut from each other are named',
    inject: (lab) => cutBetween(lab, 'zone-a', (zone) => zone === 'zone-b'),
    expected: { kind: 'zones', zones: ['zone-a', 'zone-b'] },
  },
  {
    title: 'a zone that is cut from all others is named alone',
    inject: (lab) => cutBetween(lab, 'zone-c', (zone) => zone !== 'zone-c'),
    expected: { kind: 'zones', zones: ['zone-c'] },
  },
  {
    title: 'two hosts are a pair if one drops the packets of the other',
    inject: (lab) => faults.dropFrom(lab, lab.host('n1'), lab.host('n2')),
    expected: { kind: 'pair', pair: ['n1', 'n2'] },
  },
  {
    title: 'two hosts are a pair if one has no route to the other',
    inject: (lab) => faults.refuseRoute(lab, lab.host('n3'), lab.host('n5')),
    expected: { kind: 'pair', pair: ['n3', 'n5'] },
  },
  {
    title: 'a host whose agent sends no row is named by observers-missing',
    inject: async (lab, agents) => {
      const host = lab.host('n6');
      await agents.end(host);
      agents.start(host, { mesh: 'off' });
      return async () => {
        await agents.end(host);
        agents.start(host);
      };
    },
    expected: { kind: 'observers-missing', node: 'n6' },
    mute: 'n6',
  },
  {
    title: 'a host whose packets wait in a queue is slow',
    inject: (lab) => faults.delayFrom(lab, lab.host('n5'), 20),
    expected: { kind: 'slow', node: 'n5' },
    deadlineMs: slowDeadlineMs,
    missing: missingForQueues(),
  },
  {
    title: 'a host that loses some packets is lossy',
    inject: (lab) => faults.loseAll(lab, lab.host('n2'), 4),
    expected: { kind: 'lossy', node: 'n2' },
    deadlineMs: slowDeadlineMs,
    staysOpen: true,
  },
];

describe('six hosts in three zones, whose agents have default settings', () => {
  let lab: Lab;
  let agents: Agents;

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: 6, family: 4, zones });
    return () => lab.close();
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    agents = await lab.startAgents(defaults);
    return () => agents.stop();
  });

  beforeAll(async () => {
    if (missing === undefined) await waitFor(agents, reachableSince(0), deadlineMs);
  }, deadlineMs);

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(agents.logs()));
  });

  const nothing = (_host: Host, findings: readonly { readonly id: string }[]) =>
    findings.length === 0 ? undefined : 'expected no finding';

  test('all hosts find nothing while all is well', async () => {
    await waitForFindings(agents, lab.hosts, nothing, deadlineMs);
    for (const host of lab.hosts) {
      expect(await diagnose(agents, host)).toMatchObject({ code: 0, body: { findings: [] } });
    }
  });

  for (const { title, inject, expected, insteadOn, mute, ...limits } of faultCases) {
    test(
      title,
      async ({ skip }) => {
        if (limits.missing !== undefined) skip(limits.missing);
        const speaking = lab.hosts.filter(({ name }) => name !== mute);
        const expectedOn = (host: Host) => insteadOn?.(host) ?? expected;
        const caseDeadlineMs = limits.deadlineMs ?? deadlineMs;
        const repair = await inject(lab, agents);
        try {
          const found = await waitForFindings(
            agents,
            speaking,
            (host, [first, ...others]) =>
              lackOf(first, expectedOn(host)) ??
              (others.length > 0 ? 'expected no other finding' : undefined),
            caseDeadlineMs,
          );
          for (const host of speaking) {
            const { code, body } = await diagnose(agents, host);
            expect(code).toBe(4);
            expect(lackOf(body.findings[0], expectedOn(host)), `on ${host.name}`).toBeUndefined();
          }
          console.log(`${expected.kind} found after ${secondsText(found)}: ${title}`);
        } finally {
          await repair();
        }
        if (limits.staysOpen) return;
        const closed = await waitForFindings(agents, speaking, nothing, closeDeadlineMs);
        console.log(`${expected.kind} closed after ${secondsText(closed)}`);
      },
      1_000_000,
    );
  }
});

/** The shortest and the longest detection in seconds, each with its host. */
function secondsText(ms: ReadonlyMap<string, number>): string {
  const sorted = [...ms].sort(([, a], [, b]) => a - b);
  const text = sorted.map(([name, value]) => `${(value / 1000).toFixed(1)} s on ${name}`);
  return `${text[0] ?? ''} to ${text.at(-1) ?? ''}`;
}

function undoing(undo: () => void): faults.Repair {
  return () => {
    undo();
    return Promise.resolve();
  };
}

/** Drops all packets between one zone and the others, in both directions. */
async function cutBetween(
  lab: Lab,
  zone: string,
  isOther: (zone: string | undefined) => boolean,
): Promise<faults.Repair> {
  const repairs: faults.Repair[] = [];
  for (const near of lab.hosts.filter((host) => host.zone === zone)) {
    for (const far of lab.hosts.filter((host) => isOther(host.zone))) {
      repairs.push(await faults.dropFrom(lab, near, far), await faults.dropFrom(lab, far, near));
    }
  }
  return faults.together(repairs);
}
