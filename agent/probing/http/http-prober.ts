import { isIPv6 } from 'node:net';
import type { EventLoop } from '../../platform/event-loop.js';
import { MissingFamilies } from '../missing-families.js';
import type { Prober } from '../prober.js';
import { HelloClient } from './hello-client.js';
import { HttpProbe } from './http-probe.js';
import type { CreatePiggyback } from './piggyback.js';
import type { ReadTcpInfo } from './tcp-info.js';

export interface HttpProberOptions {
  readonly port: number;
  readonly eventLoop: EventLoop;
  readonly readTcpInfo: ReadTcpInfo;
  /** What the GETs carry; left out, nothing. */
  readonly createPiggyback?: CreatePiggyback;
}

/** Idle clients that are kept. More are made when more probes are under way. */
const maxIdleClients = 64;

/**
 * Probes with `GET /hello` on a fresh connection under one total deadline; the RTT is the whole
 * exchange, from the connect call to the end of the answer. Only 200 counts, a redirect is not
 * followed, and headers and body are bounded. Its times are taken in this process, so a sample for
 * which the process was kept from running is tainted.
 */
export function createHttpProber(options: HttpProberOptions): Prober {
  const { port, eventLoop, readTcpInfo, createPiggyback = () => undefined } = options;
  const open = new Set<HttpProbe>();
  const missing = new MissingFamilies();
  const idle: HelloClient[] = [];
  let closed = false;

  return {
    probe(target, timeoutMs, settle) {
      if (closed) return () => undefined;
      const family = isIPv6(target.ip) ? 6 : 4;
      const fault = missing.faultOf(family);
      if (fault) {
        settle({ sentMs: performance.now(), at: Date.now(), ...fault });
        return () => undefined;
      }
      const probe = new HttpProbe({
        ip: target.ip,
        port,
        timeoutMs,
        piggyback: createPiggyback(target),
        client: idle.pop() ?? new HelloClient(),
        measurement: eventLoop.startMeasurement(),
        readTcpInfo,
        onSettled(settled, sample) {
          open.delete(settled);
          if (sample.outcome === 'not-sent' && sample.reason === 'no-family') {
            const { outcome, reason, detail } = sample;
            missing.add(family, { outcome, reason, detail });
          }
          settle(sample);
        },
        onClientIdle(client) {
          if (closed || idle.length >= maxIdleClients) client.destroy();
          else idle.push(client);
        },
      });
      open.add(probe);
      return () => {
        if (open.delete(probe)) probe.cancel();
      };
    },
    close() {
      closed = true;
      for (const probe of open) probe.cancel();
      open.clear();
      for (const client of idle.splice(0)) client.destroy();
    },
  };
}
