import { createSocket } from 'node:dgram';
import { closeSync, openSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import type { FailureKind } from '../../model/failure.js';
import type { Fault } from '../../model/sample.js';
import type { ServerAddress } from '../../model/host-and-port.js';
import { timeout } from '../../model/sample.js';
import { localFailure, outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../../probing/host-families.js';

/** What is said of a server that does not know such queries. */
export const notImplemented = 'NOTIMP: the server does not know such queries';

const failures: ReadonlyMap<string, readonly [FailureKind, string]> = new Map([
  ['ENOTFOUND', ['nxdomain', 'NXDOMAIN: there is no such name']],
  ['ENODATA', ['wrong-answer', 'the name has no address of that type']],
  ['ESERVFAIL', ['servfail', 'SERVFAIL: the server could not find out']],
  ['EREFUSED', ['dns-refused', 'REFUSED: the server does not answer this host']],
  ['EFORMERR', ['protocol', 'FORMERR: the server does not understand the query']],
  ['ENOTIMP', ['protocol', notImplemented]],
  ['EBADRESP', ['protocol', 'the answer is not DNS']],
]);

/** How a query ended that Node's resolver ended with that code. */
export async function faultOfQuery(
  code: string | undefined,
  server: ServerAddress,
): Promise<Fault> {
  if (code === 'ETIMEOUT' || code === 'ECANCELLED') return timeout;
  if (code === 'ENOMEM') return { outcome: 'not-sent', reason: 'no-memory', detail: code };
  // The resolver says so of every error of the network, and of this host's.
  if (code === 'ECONNREFUSED') return (await sendingFault(server)) ?? refused;
  const [kind, detail] = failures.get(code ?? '') ?? ['protocol', code ?? 'no code'];
  return { outcome: 'failure', kind, detail };
}

/** kube-proxy rejects what is sent to a Service without endpoints, in the rules of this host. */
const rejectedHere = localFailure(
  'operation not permitted (a Service without endpoints, or a firewall of its own?)',
);
const refused: Fault = { outcome: 'failure', kind: 'refused', detail: 'connection refused' };

/** Why this host cannot send to the server; undefined where it can: then the server's host refused. */
function sendingFault({ ip, port }: ServerAddress): Promise<Fault | undefined> {
  const fault = (error: unknown, wasAtOnce: boolean): Fault | undefined => {
    const code = codeOf(error);
    if (code === 'ECONNREFUSED') return undefined;
    if (code === 'EPERM') return rejectedHere;
    return outcomeOfConnectError(code, code ?? 'cannot send', wasAtOnce, () => lacksFamilyOf(ip));
  };
  try {
    closeSync(openSync('/dev/null', 'r'));
  } catch (error) {
    return Promise.resolve(fault(error, true));
  }
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    const end = (error: unknown): void => {
      resolve(error === null || error === undefined ? undefined : fault(error, true));
      socket.close();
    };
    socket.once('error', end);
    socket.connect(port, ip, (error?: Error) => {
      if (error) end(error);
      // A server that listens does not answer an empty packet; a firewall of this host shows here.
      else socket.send('', (failed) => end(failed));
    });
  });
}
