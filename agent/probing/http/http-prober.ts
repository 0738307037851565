import { isIPv6 } from 'node:net';
import type { Fault, Sample } from '../../model/sample.js';
import type { EventLoop } from '../../platform/event-loop.js';
import { openFilesLimit } from '../../platform/open-files-limit.js';
import { MissingFamilies } from '../missing-families.js';
import type { Prober } from '../prober.js';
import { HttpProbe } from './http-probe.js';
import type { CreatePiggyback } from './piggyback.js';
import type { ReadTcpInfo } from './tcp-info.js';
import { createTurns } from './turns.js';

export interface HttpProberOptions {
  readonly port: number;
  readonly eventLoop: EventLoop;
  readonly readTcpInfo: ReadTcpInfo;
  /** What the GETs carry; left out, nothing. */
  readonly createPiggyback?: CreatePiggyback;
  /** How many files this process may have open; by default what the system says. */
  readonly filesLimit?: number;
}

/**
 * Each probe holds a descriptor until its timeout. The rest stays free: without a descriptor nothing
 * that is served answers, neither a peer nor the kubelet.
 */
const filesForOthers = 64;
const shareForProbes = 3 / 4;
const fewestOpenProbes = 16;
/**
 * So many probes may wait for their turn, in which they are sent: all of a first sweep of thousands of nodes. Where this
 * process gets so little processor time that more fall due than are sent, they would become ever more.
 */
const mostWaiting = 16_384;
/** Where so many wait it is not for want of descriptors that a probe is not sent. */
const manyWaiting = 1024;

/**
 * Probes with `GET /hello` on a fresh connection under one total deadline; the RTT is the whole
 * exchange, from the connect call to the end of the answer. Only 200 counts, a redirect is not
 * followed, and headers and body are bounded. Its times are taken in this process, so a sample for
 * which the process was kept from running is tainted.
 */
export function createHttpProber(options: HttpProberOptions): Prober {
  const { port, eventLoop, readTcpInfo, createPiggyback = () => undefined } = options;
  const { filesLimit = openFilesLimit() } = options;
  const forProbes = Math.floor((filesLimit - filesForOthers) * shareForProbes);
  const mostOpen = Math.max(forProbes, fewestOpenProbes);
  const open = new Set<{ cancel(): void }>();
  const inTurn = createTurns();
  let waiting = 0;
  const missing = new MissingFamilies();
  let closed = false;
  const shortage = (): Fault | undefined => {
    if (open.size < mostOpen && waiting < mostWaiting) return undefined;
    return waiting >= manyWaiting ? tooManyWaiting : tooManyFiles(filesLimit);
  };

  return {
    probe(target, timeoutMs, settle) {
      if (closed) return () => undefined;
      const family = isIPv6(target.ip) ? 6 : 4;
      const fault = shortage() ?? missing.faultOf(family);
      if (fault) {
        settle({ sentMs: performance.now(), at: Date.now(), ...fault });
        return () => undefined;
      }
      let probe: HttpProbe | undefined;
      const handle = { cancel: () => probe?.cancel() };
      let endTurn = (): void => undefined;
      const onSettled = (sample: Sample): void => {
        open.delete(handle);
        endTurn();
        if (sample.outcome === 'not-sent' && sample.reason === 'no-family') {
          const { outcome, reason, detail } = sample;
          missing.add(family, { outcome, reason, detail });
        }
        settle(sample);
      };
      open.add(handle);
      waiting++;
      inTurn((end) => {
        waiting--;
        if (!open.has(handle)) {
          end();
          return;
        }
        endTurn = end;
        const piggyback = createPiggyback(target);
        const { ip } = target;
        probe = new HttpProbe({
          ip,
          port,
          timeoutMs,
          piggyback,
          eventLoop,
          readTcpInfo,
          onSettled,
        });
      });
      return () => {
        if (!open.delete(handle)) return;
        handle.cancel();
        endTurn();
      };
    },
    close() {
      closed = true;
      for (const handle of open) handle.cancel();
      open.clear();
    },
  };
}

const tooManyWaiting: Fault = {
  outcome: 'not-sent',
  reason: 'too-many-probes',
  detail: 'more probes wait than this process has processor time for',
};

function tooManyFiles(limit: number): Fault {
  const detail = `too many open files (the limit of this process is ${limit})`;
  return { outcome: 'not-sent', reason: 'no-descriptor', detail };
}
