import { expect, test } from 'vitest';
import type { LabFault } from './fault-kinds.js';
import { diagnose, lackOf, nothing, waitForFindings } from './findings.js';
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
    const answers = lab.hosts.map((host) => diagnose(agents, host));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ code: 0, body: { findings: [] } });
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
    const found = await waitForFindings(
      agents,
      speaking,
      (host, [first, ...others]) =>
        lackOf(first, expectedOn(host)) ??
        (others.length > 0 ? 'expected no other finding' : undefined),
      limits.deadlineMs ?? usualDeadlineMs,
    );
    const answers = speaking.map(async (host) => ({ host, ...(await diagnose(agents, host)) }));
    for (const { host, code, body } of await Promise.all(answers)) {
      expect(code).toBe(4);
      expect(lackOf(body.findings[0], expectedOn(host)), `on ${host.name}`).toBeUndefined();
    }
    console.log(`${fault.expected.kind} found after ${secondsText(found)}: ${title}`);
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
