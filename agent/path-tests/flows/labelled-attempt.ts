import { icmpFailure } from '../../probing/icmp/packet.js';
import type { Libc } from '../../platform/libc.js';
import { pollFor } from '../poll.js';
import { maxFlowLabel } from '../sockets/send-options.js';
import { SynSocket } from '../sockets/syn-socket.js';
import { attemptOfErrno, type Attempt } from './attempt.js';

const usualHops = 64;
/** Odd, so that each port has a label of its own: the product spreads them over all labels. */
const spread = 0x9e_3779b1;

/**
 * Connects over IPv6 once from a source port, with the flow label of that port. The kernel would draw
 * another label for each connection, and a router that chooses by labels another way.
 */
export async function tryLabelledPort(
  libc: Libc,
  { ip, port, from }: { readonly ip: string; readonly port: number; readonly from: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const socket = new SynSocket(libc, ip, from);
  const read = (): Attempt | undefined => {
    const answer = socket.answer();
    switch (answer?.kind) {
      case undefined:
        return undefined;
      case 'target':
        return 'answered';
      case 'error':
        return icmpFailure(6, answer.type, answer.code) && 'lost';
      case 'not-sent':
        return attemptOfErrno(answer.errno);
    }
  };
  try {
    socket.connect(ip, port, usualHops, labelOf(from));
    return (await pollFor(read, timeoutMs, signal)) ?? 'lost';
  } catch (error) {
    if (signal.aborted) return 'not-sent';
    throw error;
  } finally {
    socket.close();
  }
}

/** The flow label of a source port: from 1 on, as 0 is none. */
export function labelOf(from: number): number {
  return ((Math.imul(from, spread) >>> 13) % maxFlowLabel) + 1;
}
