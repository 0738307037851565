import { readFile } from 'node:fs/promises';

/** What the peers' kernel has taken in so far. */
export interface Counters {
  readonly echoes: number;
  readonly connections: number;
}

/** Reads the counters of the namespace that a process is in. */
export async function countersOf(pid: number): Promise<Counters> {
  return readCounters(await readFile(`/proc/${pid}/net/snmp`, 'utf8'));
}

/** Reads /proc/net/snmp: a line of names, then one of numbers, per protocol. */
export function readCounters(snmp: string): Counters {
  const lines = snmp.split('\n').map((line) => line.split(' '));
  const value = (protocol: string, name: string): number => {
    const [names, numbers] = lines.filter(([head]) => head === `${protocol}:`);
    return Number(numbers?.[names?.indexOf(name) ?? -1] ?? NaN);
  };
  return { echoes: value('Icmp', 'InEchos'), connections: value('Tcp', 'PassiveOpens') };
}
