import { readFile } from 'node:fs/promises';

/** What the kernel of a namespace has received so far, and the connections that it has opened. */
export interface Counters {
  readonly echoes: number;
  readonly connections: number;
  readonly opened: number;
}

/** Reads the counters of the namespace that a process is in. */
export async function countersOf(pid: number): Promise<Counters> {
  return readCounters(await readFile(`/proc/${pid}/net/snmp`, 'utf8'));
}

/** The bytes that passed the device of a process's namespace, with all headers. */
export interface DeviceBytes {
  readonly received: number;
  readonly sent: number;
}

/** Reads the counters of eth0 in the namespace that a process is in. */
export async function exchangedBytesOf(pid: number): Promise<DeviceBytes> {
  return readDeviceBytes(await readFile(`/proc/${pid}/net/dev`, 'utf8'), 'eth0');
}

/**
 * Reads /proc/net/dev. Eight numbers about received packets follow the device's name, then eight
 * about sent ones.
 */
export function readDeviceBytes(text: string, device: string): DeviceBytes {
  const line = text.split('\n').find((one) => one.trimStart().startsWith(`${device}:`)) ?? '';
  const numbers = line
    .slice(line.indexOf(':') + 1)
    .trim()
    .split(/ +/);
  return { received: Number(numbers[0] || NaN), sent: Number(numbers[8] ?? NaN) };
}

/** Reads /proc/net/snmp. Each protocol has a line of names and a line of numbers. */
export function readCounters(snmp: string): Counters {
  const lines = snmp.split('\n').map((line) => line.split(' '));
  const value = (protocol: string, name: string): number => {
    const [names, numbers] = lines.filter(([head]) => head === `${protocol}:`);
    return Number(numbers?.[names?.indexOf(name) ?? -1] ?? NaN);
  };
  return {
    echoes: value('Icmp', 'InEchos'),
    connections: value('Tcp', 'PassiveOpens'),
    opened: value('Tcp', 'ActiveOpens'),
  };
}
