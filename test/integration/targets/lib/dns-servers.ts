import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../lib/free-port.js';
import { startProgram, type RunningProgram } from './programs.js';

/** A real DNS server on loopback. */
export interface DnsServer extends RunningProgram {
  readonly port: number;
  /** `127.0.0.1:PORT`. */
  readonly at: string;
}

/** The seconds for which answers of dnsmasq hold. */
export const ttlSeconds = 37;

/**
 * dnsmasq. `ok.test` has one address, `gone.test` does not exist, `many.test` has more addresses than UDP
 * carries, `v6.test` has an IPv6 address alone, and of all else it says REFUSED.
 */
export async function startDnsmasq(): Promise<DnsServer> {
  const port = await freePort();
  const many = Array.from({ length: 120 }, (_, i) => `--host-record=many.test,198.51.100.${i + 1}`);
  const program = await startProgram(
    'dnsmasq',
    [
      ...['--keep-in-foreground', '--conf-file=/dev/null', '--no-resolv', '--no-hosts'],
      ...[`--port=${port}`, '--listen-address=127.0.0.1', '--bind-interfaces', '--user='],
      ...[`--local-ttl=${ttlSeconds}`, '--log-queries', '--log-facility=-'],
      ...['--address=/ok.test/127.0.0.1', '--address=/gone.test/', '--address=/search.example/'],
      ...[
        '--host-record=v6.test,::1',
        '--local=/v6.test/',
        '--host-record=short.corp.example,127.0.0.1',
        ...many,
      ],
    ],
    /started/,
  );
  return { ...program, port, at: `127.0.0.1:${port}` };
}

/** knot with one zone that it cannot load, so it says SERVFAIL of `broken.test`. */
export async function startKnot(folder: string): Promise<DnsServer> {
  const port = await freePort();
  for (const name of ['run', 'db']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'knot.conf'),
    `server:
    listen: [ 127.0.0.1@${port} ]
    rundir: "${join(folder, 'run')}"
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${join(folder, 'db')}"
    journal-db-max-size: 1M
    timer-db-max-size: 1M
    kasp-db-max-size: 5M
    catalog-db-max-size: 5M
log:
  - target: stderr
    any: info
zone:
  - domain: broken.test
    storage: "${folder}"
    file: none.zone
`,
  );
  const args = ['-c', join(folder, 'knot.conf')];
  const program = await startProgram('knotd', args, /server started/);
  return { ...program, port, at: `127.0.0.1:${port}` };
}
