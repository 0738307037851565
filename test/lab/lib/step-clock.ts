import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Repair } from './faults.js';

const program = join(import.meta.dirname, '../programs/step-clock.js');
const setTimeCapability = 25n;

/**
 * The reason why a test must not step the system clock here; undefined if it may. The whole machine
 * uses this clock.
 */
export function missingForClock(): string | undefined {
  if (process.env['LAB_CLOCK'] !== 'step') {
    return 'the clock of the machine is stepped only with LAB_CLOCK=step';
  }
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const mayStep = ((BigInt(`0x${effective ?? 0}`) >> setTimeCapability) & 1n) === 1n;
  return mayStep ? undefined : 'stepping the clock needs CAP_SYS_TIME';
}

/**
 * Steps the system clock of the machine. The clock is put right at the repair, when this process
 * dies, and after four seconds at the latest.
 * @throws Error if the clock may not be set
 */
export async function stepClock(bySeconds: number): Promise<Repair> {
  // An interrupt of the test must not leave the clock wrong, so the process has a session of its
  // own.
  const child = spawn(process.execPath, [program, `${bySeconds}`], {
    stdio: 'pipe',
    detached: true,
  });
  const exit = once(child, 'exit');
  const complaint = text(child.stderr);
  const repair = async (): Promise<void> => {
    child.stdin.end();
    await exit;
    if (child.exitCode !== 0) throw new Error(`the clock was not put right: ${await complaint}`);
  };
  await Promise.race([once(child.stdout, 'data'), exit]);
  if (child.exitCode !== null) throw new Error(await complaint);
  return repair;
}
