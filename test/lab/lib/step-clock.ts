import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Repair } from './faults.js';

const program = join(import.meta.dirname, '../programs/step-clock.js');
const setTimeCapability = 25n;

/** Why the system clock is not to be stepped here, if so: it is everyone's on this machine. */
export function missingForClock(): string | undefined {
  if (process.env['LAB_CLOCK'] !== 'step') {
    return 'the clock of the machine is stepped only with LAB_CLOCK=step';
  }
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const mayStep = ((BigInt(`0x${effective ?? 0}`) >> setTimeCapability) & 1n) === 1n;
  return mayStep ? undefined : 'stepping the clock needs CAP_SYS_TIME';
}

/**
 * Steps the system clock of the machine; it is put right at the repair, when this process dies, and
 * after four seconds at the latest.
 * @throws Error where the clock may not be set
 */
export async function stepClock(bySeconds: number): Promise<Repair> {
  // In a session of its own, so that what interrupts the test does not leave the clock as it is.
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
