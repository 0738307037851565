import { join } from 'node:path';
import type { HostSource, Measure } from '../measure.js';
import { sumOf, wholeOf, wordsOf } from '../numbers.js';
import { readKernelFile } from '../read-file.js';

/** The counters of one group of a file, such as `TcpExt`, by their names. */
export type Counters = ReadonlyMap<string, number>;

/**
 * What TCP, UDP, IP and ICMP count in a network namespace. A kernel that lacks a counter is not guessed at. Source: the kernel's
 * Documentation/networking/snmp_counter.rst.
 */
export function netstatSource(proc: string): HostSource {
  const file = (name: string) => readKernelFile(join(proc, 'net', name), 65_536);
  return {
    signs: [
      'listen-overflows',
      'tcp-retransmissions',
      'udp-buffer-drops',
      'fragment-failures',
      'icmp-limited',
    ],
    files: '/proc/net/snmp, /proc/net/snmp6 and /proc/net/netstat',
    async read() {
      const [snmp, snmp6, netstat] = await Promise.all([
        file('snmp'),
        file('snmp6'),
        file('netstat'),
      ]);
      const v4 = groupedCounters(snmp);
      const more = groupedCounters(netstat);
      const v6 = listedCounters(snmp6);
      const [tcp, udp, ip] = [v4.get('Tcp'), v4.get('Udp'), v4.get('Ip')];
      const icmp = v4.get('Icmp');
      return [
        ...counted('listen-overflows', more.get('TcpExt')?.get('ListenOverflows')),
        ...counted('udp-buffer-drops', udp?.get('RcvbufErrors'), v6.get('Udp6RcvbufErrors')),
        ...counted('fragment-failures', ip?.get('FragFails'), v6.get('Ip6FragFails')),
        // These came with Linux 6.0 (global) and 6.7 (by host).
        ...counted('icmp-limited', icmp?.get('OutRateLimitGlobal'), icmp?.get('OutRateLimitHost')),
        ...retransmissions(tcp?.get('RetransSegs'), tcp?.get('OutSegs')),
      ];
    },
  };
}

/** The sum of the counters that there are; of one that is missing the others are taken, and no measure where none is there. */
function counted(sign: Measure['sign'], ...counters: readonly (number | undefined)[]): Measure[] {
  const count = sumOf(counters.filter((one) => one !== undefined));
  const parts = counters.flatMap((one, at) => (one === undefined ? [] : [at])).join();
  return count === undefined || parts === '' ? [] : [{ sign, about: '', count, parts }];
}

function retransmissions(count: number | undefined, of: number | undefined): Measure[] {
  return count === undefined || of === undefined
    ? []
    : [{ sign: 'tcp-retransmissions', about: '', count, of }];
}

/** Reads pairs of lines: the names of the counters of a group, then their values. A pair that does not match is left out. */
export function groupedCounters(text: string | undefined): ReadonlyMap<string, Counters> {
  const groups = new Map<string, Counters>();
  const lines = (text ?? '').split('\n');
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', ...names] = wordsOf(lines[at]);
    const [again, ...values] = wordsOf(lines[at + 1]);
    if (name === '' || name !== again || names.length !== values.length) continue;
    groups.set(name.slice(0, -1), countersOf(names.map((one, index) => [one, values[index]])));
  }
  return groups;
}

/** Reads one counter a line: its name, and its value. */
export function listedCounters(text: string | undefined): Counters {
  return countersOf(
    (text ?? '').split('\n').map((line) => {
      const [name = '', value] = wordsOf(line);
      return [name, value];
    }),
  );
}

function countersOf(pairs: readonly (readonly [string, string | undefined])[]): Counters {
  return new Map(
    pairs.flatMap(([name, text]): [string, number][] => {
      const value = wholeOf(text);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
