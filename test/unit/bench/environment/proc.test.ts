import { describe, expect, test } from 'vitest';
import { defaultCadence } from '../../../bench/environment/cadence.js';
import { readCounters, readDeviceBytes } from '../../../bench/environment/counters.js';
import {
  cpuMsOf,
  memoryOf,
  threadCpuMs,
  usageOf,
} from '../../../bench/environment/process-usage.js';

describe('cpuMsOf', () => {
  test('adds user and system time, whatever the command calls itself', () => {
    const rest = 'S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 11 0';
    expect(cpuMsOf(`4711 (node) ${rest}`)).toBe(1750);
    expect(cpuMsOf(`4711 (a ) b) 1 (2) ${rest}`)).toBe(1750);
  });

  test('tells the time of ended children apart', () => {
    const rest = 'S 1 2 3 4 5 6 7 8 9 10 150 25 6 1 20 0 11 0';
    expect(cpuMsOf(`4711 (node) ${rest}`, 'children')).toBe(70);
  });
});

describe('memoryOf', () => {
  const status = 'Name:\tVmRSS: 9 kB\nVmHWM:\t  123456 kB\nVmRSS:\t    2000 kB\n';

  test('reads kilobytes as bytes', () => {
    expect(memoryOf(status, 'VmRSS')).toBe(2_048_000);
    expect(memoryOf(status, 'VmHWM')).toBe(126_418_944);
  });

  test('is no number where there is none', () => {
    expect(memoryOf(status, 'VmSwap')).toBeNaN();
  });
});

describe.runIf(process.platform === 'linux')('usageOf', () => {
  test('agrees with what a process knows of itself', async () => {
    const { residentBytes, peakBytes, privateBytes, wakeUps } = await usageOf(process.pid);
    expect(peakBytes).toBeGreaterThanOrEqual(residentBytes);
    expect(privateBytes).toBeGreaterThan(0);
    expect(wakeUps).toBeGreaterThan(0);
    expect(residentBytes).toBeGreaterThan(process.memoryUsage().heapUsed);
    expect(await threadCpuMs(process.pid)).toBeGreaterThan(0);
  });

  test('rejects where there is no such process', async () => {
    await expect(usageOf(2 ** 22 + 1)).rejects.toThrow('ENOENT');
  });
});

test('readCounters finds its columns by name', () => {
  const snmp = `Ip: Forwarding InReceives
Ip: 1 5
Icmp: InMsgs InErrors InEchos InEchoReps
Icmp: 900 1 700 200
IcmpMsg: InType8
IcmpMsg: 700
Tcp: RtoAlgorithm ActiveOpens PassiveOpens
Tcp: 1 30 44
`;
  expect(readCounters(snmp)).toEqual({ echoes: 700, connections: 44, opened: 30 });
});

describe('defaultCadence', () => {
  test('holds the shortest intervals until a budget is reached', () => {
    expect(defaultCadence(200)).toEqual({ icmp: 1000, http: 5000 });
  });

  test('stretches each protocol beyond its own budget', () => {
    const { icmp, http } = defaultCadence(10_000);
    expect(icmp).toBe(40_000);
    expect(http).toBe(250_000);
  });
});

test('readDeviceBytes takes the bytes of one device, each way', () => {
  const text = `Inter-|   Receive  |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     120       2    0    0    0     0          0         0      120       2    0    0    0     0       0          0
  eth0: 2300045     900    0    0    0     0          0         0  4100001    1200    0    0    0     0       0          0
`;
  expect(readDeviceBytes(text, 'eth0')).toEqual({ received: 2_300_045, sent: 4_100_001 });
  expect(readDeviceBytes(text, 'eth1')).toEqual({ received: NaN, sent: NaN });
});
