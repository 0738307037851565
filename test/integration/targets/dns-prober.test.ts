import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useFolder } from '../../resources/folder.js';
import { listenForTest } from '../../resources/test-server.js';
import { freePort } from '../lib/free-port.js';
import { startDnsmasq, startKnot, ttlSeconds, type DnsServer } from './lib/dns-servers.js';
import { startRelay, type DnsRelay } from './lib/dns-relay.js';
import { anyPath, probeOnce } from './lib/probe-once.js';
import { endOf, useProbers } from './lib/probe.js';
import { missingPrograms } from './lib/programs.js';

const missing = missingPrograms('dnsmasq', 'knotd');
const proberOf = useProbers();

describe('DNS', () => {
  const folder = useFolder();
  let dnsmasq: DnsServer;
  let knot: DnsServer;
  let relay: DnsRelay;
  let silent: Socket;
  let silentAt: string;

  beforeAll(async () => {
    if (missing !== undefined) return;
    [dnsmasq, knot] = await Promise.all([startDnsmasq(), startKnot(folder)]);
    silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    silentAt = `127.0.0.1:${silent.address().port}`;
  });
  afterAll(async () => {
    if (missing !== undefined) return;
    silent.close();
    await Promise.all([dnsmasq.stop(), knot.stop()]);
  });
  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    relay = await startRelay(dnsmasq.port);
  });
  afterEach(() => relay.close());

  const dns = (query: string, servers: readonly string[], more = '') =>
    proberOf(`dns: {query: ${query}, servers: ${JSON.stringify(servers)}${more}}`);

  test('an answer is a reply, with its addresses and how long they hold', async () => {
    const prober = await dns('ok.test', [dnsmasq.at], ', expect: [127.0.0.1]');
    const sample = await probeOnce(prober);
    expect(sample).toMatchObject({ outcome: 'reply' });
    expect(prober.answer()).toEqual({ addresses: ['127.0.0.1'], ttlSeconds });
    expect(prober.servers()).toMatchObject([{ server: dnsmasq.at, state: { state: 'reachable' } }]);
  });

  // The kernel chooses the ports, so two of them may be the same by chance.
  test('each probe asks anew, from a port of its own', async () => {
    const prober = await dns('ok.test', [`127.0.0.1:${relay.port}`]);
    for (let i = 0; i < 3; i++) expect(await endOf(prober)).toBe('reply');
    expect(new Set(relay.sources).size).toBeGreaterThan(1);
  });

  test('what UDP does not carry is asked for by TCP', async () => {
    const prober = await dns('many.test', [dnsmasq.at]);
    expect(await endOf(prober)).toBe('reply');
    expect(prober.answer().addresses).toHaveLength(120);
    await vi.waitFor(
      () => expect(dnsmasq.output().split('query[A] many.test')).toHaveLength(3),
      20_000,
    );
  });

  test('a name is asked of the next nameserver and in the next domain where one cannot find out', async () => {
    const server = createServer((socket) => socket.destroy());
    const port = await listenForTest(server);
    const resolvConf = join(folder, 'resolv.conf');
    const ends = async (host: string, servers: readonly string[], more = '') => {
      const lines = servers.map((at) => `nameserver [127.0.0.1]:${at.split(':')[1] ?? ''}\n`);
      writeFileSync(resolvConf, lines.join('') + more);
      const hosts = join(folder, 'no-hosts');
      return endOf(await proberOf(`tcp: "${host}:${port}"`, { resolvConf, hosts }));
    };
    // knot refuses zones that it does not have, and cannot load broken.test.
    expect(await ends('ok.test', [knot.at])).toBe('dns-refused');
    expect(await ends('ok.test', [knot.at, dnsmasq.at])).toBe('reply');
    expect(await ends('a.broken.test', [knot.at, silentAt])).toBe('servfail');
    expect(await ends('ok.test', [silentAt, dnsmasq.at])).toBe('reply');
    expect(await ends('gone.test', [dnsmasq.at, knot.at])).toBe('nxdomain');
    // dnsmasq refuses what it has no records for.
    const search = 'search corp.refused search.example\noptions ndots:5\n';
    expect(await ends('ok.test', [dnsmasq.at], search)).toBe('reply');
    expect(await ends('gone.test', [dnsmasq.at], search)).toBe('dns-refused');
  });

  test.each([
    ['a name that is not there', 'gone.test', () => dnsmasq.at, 'nxdomain'],
    ['no address of that type', 'v6.test', () => dnsmasq.at, 'wrong-answer'],
    ['a query that is refused', 'other.example', () => dnsmasq.at, 'dns-refused'],
    ['a server that cannot find out', 'a.broken.test', () => knot.at, 'servfail'],
  ])('%s', async (_, query, at, kind) => {
    const prober = await dns(query, [at()]);
    expect(await endOf(prober)).toBe(kind);
    expect(prober.servers()).toMatchObject([{ state: { state: 'unknown', failureKind: kind } }]);
  });

  test.each(['[127.0.0.2]', '[127.0.0.1, 127.0.0.2]'])(
    'an answer other than %s is wrong',
    async (expected) => {
      const prober = await dns('ok.test', [dnsmasq.at], `, expect: ${expected}`);
      expect(await endOf(prober)).toBe('wrong-answer');
    },
  );

  test('AAAA', async () => {
    const prober = await dns('v6.test', [dnsmasq.at], ', type: AAAA, expect: ["::1"]');
    expect(await endOf(prober)).toBe('reply');
  });

  test('a port where nobody listens is refused, and a silent server is a timeout', async () => {
    expect(await endOf(await dns('ok.test', [`127.0.0.1:${await freePort()}`]))).toBe('refused');
    expect(await endOf(await dns('ok.test', [silentAt]), 300)).toBe('timeout');
  });

  test('a slow answer is a reply with its round trip, and a late one a timeout', async () => {
    const prober = await dns('ok.test', [`127.0.0.1:${relay.port}`]);
    relay.delayMs = 250;
    const sample = await probeOnce(prober);
    expect(sample.outcome === 'reply' && sample.rttNs >= 245e6).toBe(true);
    expect(await endOf(prober, 120)).toBe('timeout');
    relay.delayMs = 0;
    expect(await endOf(prober)).toBe('reply');
  });

  test('of two servers the one that fails is named soon, and again when it is back', async () => {
    const relayed = `127.0.0.1:${relay.port}`;
    const prober = await dns('ok.test', [relayed, dnsmasq.at]);
    expect(await endOf(prober)).toBe('reply');
    relay.delayMs = Infinity;
    // One probe is enough: the server is asked again by itself.
    expect(await endOf(prober, 200)).toBe('reply');
    await expect
      .poll(() => prober.servers())
      .toMatchObject([
        { server: relayed, state: { state: 'unreachable', failureKind: 'timeout' } },
        { server: dnsmasq.at, state: { state: 'reachable' } },
      ]);
    relay.delayMs = 0;
    expect(await endOf(prober)).toBe('reply');
    await expect
      .poll(() => prober.servers())
      .toMatchObject([{ state: { state: 'reachable' } }, { state: { state: 'reachable' } }]);
  });

  test('servers that are not given are those of resolv.conf', async () => {
    const resolvConf = join(folder, 'resolv.conf');
    writeFileSync(resolvConf, 'nameserver 127.0.0.1\n');
    const prober = await proberOf('dns: {query: ok.test}', { resolvConf });
    await probeOnce(prober, 100);
    expect(prober.servers().map(({ server }) => server)).toEqual(['127.0.0.1']);
    writeFileSync(resolvConf, '');
    expect(await endOf(prober)).toBe(`not-sent: other: ${resolvConf} has no nameserver`);
  });

  test('a probe that is cancelled, or whose prober is closed, does not settle', async () => {
    const prober = await dns('ok.test', [silentAt]);
    let settled = 0;
    const cancel = prober.probe(anyPath, 100, () => settled++);
    prober.probe(anyPath, 100, () => settled++);
    cancel();
    prober.close();
    prober.probe(anyPath, 100, () => settled++);
    const other = await dns('ok.test', [silentAt]);
    expect(await endOf(other, 250)).toBe('timeout');
    expect(settled).toBe(0);
  });
});
