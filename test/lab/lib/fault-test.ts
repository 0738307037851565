import { expect, test } from 'vitest';
import type { Finding } from '../../../api/schema/v1/findings.js';
import type { LabFault } from './fault-kinds.js';
import { diagnose } from './diagnose.js';
import { lackOf, nothing, waitForFindings } from './findings.js';
import type { Mesh } from './start-mesh.js';
import type { Host } from './plan.js';

export interface FaultTest {
  readonly title: string;
  readonly fault: LabFault;
  /** The agents need more time to tell this fault from chance. */
  readonly deadlineMs?: number;
  /**
   * The finding stays open for minutes after the repair. So this test comes last and disturbs no
   * other one.
   */
  readonly staysOpen?: true;
  /** The reason why this fault cannot be made here. */
  readonly missing?: string | undefined;
}

const usualDeadlineMs = 180_000;
/** A slow path recovers only after many answers, and HTTP has few of them. */
const closeDeadlineMs = 400_000;

/** All hosts find nothing while all is well, by the API and by the CLI. */
export function testHealthy(mesh: () => Mesh): void {
  test('all hosts find nothing while all is well', async () => {
    const { lab, agents } = mesh();
    await waitForFindings(agents, lab.hosts, nothing, usualDeadlineMs);
    // A probe that was lost while the hosts started is looked at again first, and until then nobody knows.
    for (const host of lab.hosts) {
      await expect
        .poll(() => diagnose(agents, host), { timeout: 60_000, interval: 500, message: host.name })
        .toMatchObject({ code: 0, body: { findings: [] } });
    }
  });
}

/**
 * Makes a fault. Expects of every host that can speak the finding of this fault and no other one,
 * by the API and by the CLI, and no finding after the repair.
 */
export function testFault(mesh: () => Mesh, { title, fault, ...limits }: FaultTest): void {
  async function expectFound({ lab, agents }: Mesh): Promise<void> {
    const speaking = lab.hosts.filter(({ name }) => name !== fault.mute);
    const expectedOn = (host: Host) => fault.insteadOn?.(host) ?? fault.expected;
    const check = (host: Host, [first, ...others]: readonly Finding[]) =>
      lackOf(first, expectedOn(host)) ??
      (others.length > 0 ? 'expected no other finding' : undefined);
    const deadlineMs = limits.deadlineMs ?? usualDeadlineMs;
    const found = await waitForFindings(agents, speaking, check, deadlineMs);
    console.log(`${fault.expected.kind} found after ${secondsText(found)}: ${title}`);
    // One after another: the start of many programs at once would disturb what it looks at.
    for (const host of speaking) {
      let { code, body } = await diagnose(agents, host);
      const lack = check(host, body.findings);
      if (lack !== undefined) {
        console.log(`${host.name} had it and lost it again: ${lack}`);
        await waitForFindings(agents, [host], check, deadlineMs);
        ({ code, body } = await diagnose(agents, host));
      }
      expect(code).toBe(4);
      expect(check(host, body.findings), `on ${host.name}`).toBeUndefined();
    }
  }

  async function expectClosed({ lab, agents }: Mesh): Promise<void> {
    const speaking = lab.hosts.filter(({ name }) => name !== fault.mute);
    const closed = await waitForFindings(agents, speaking, nothing, closeDeadlineMs);
    console.log(`${fault.expected.kind} closed after ${secondsText(closed)}`);
  }

  test(
    title,
    async ({ skip }) => {
      if (limits.missing !== undefined) skip(limits.missing);
      const repair = await mesh().make(fault);
      await expectFound(mesh()).finally(repair);
      if (!limits.staysOpen) await expectClosed(mesh());
    },
    1_000_000,
  );
}

/** The shortest and the longest detection in seconds, each with its host. */
function secondsText(ms: ReadonlyMap<string, number>): string {
  const sorted = [...ms].sort(([, a], [, b]) => a - b);
  const text = sorted.map(([name, value]) => `${(value / 1000).toFixed(1)} s on ${name}`);
  return `${text[0] ?? ''} to ${text.at(-1) ?? ''}`;
}
