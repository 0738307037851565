import { MessageRing } from '../../../../../agent/probing/icmp/kernel/message-ring.js';
import { socketAddress } from '../../../../../agent/probing/icmp/kernel/socket-address.js';
import { internetChecksum, readEchoReply } from '../../../../../agent/probing/icmp/packet.js';
import { loadLibc } from '../../../../../agent/platform/libc.js';

/** An echo reply as an engine of ours expects it. */
interface Answer {
  readonly id: number;
  readonly sequence: number;
  readonly cookie: Buffer;
}

/** A forger reads the echo replies of an address on this machine and sends others in its name. */
export interface Forger {
  /** The last echo reply that the address sent. */
  lastAnswer(): Answer;
  /** Sends an echo reply from the address to 127.0.0.1 at once. */
  answer(answer: Answer): void;
  close(): void;
}

const [internet, raw, nonBlocking, icmp, dontWait] = [2, 3, 0o4000, 1, 0x40];

/** Makes a forger for an address of 127.0.0.0/8, or says why that is not possible here. */
export function openForger(ip: string): Forger | { readonly unavailable: string } {
  if (process.platform !== 'linux') return { unavailable: 'forging echo replies needs Linux' };
  const libc = loadLibc();
  const fd = libc.socket(internet, raw | nonBlocking, icmp);
  if (fd < 0) return { unavailable: 'forging echo replies needs a raw socket (CAP_NET_RAW)' };
  const ring = new MessageRing(libc);
  const [from, to] = [socketAddress(4, ip), socketAddress(4, '127.0.0.1')];
  libc.bind(fd, from, from.length);
  // A socket that is bound to an address receives only packets to it. So the answers need a second
  // socket.
  const ears = libc.socket(internet, raw | nonBlocking, icmp);
  // Echoes of other tests on this machine would fill its queue, which holds 256.
  libc.bind(ears, to, to.length);
  libc.connect(ears, from, from.length);
  return {
    lastAnswer() {
      let last: Answer | undefined;
      while (ring.receiveOne(ears, dontWait) >= 0) {
        const { name, data } = ring.message(0);
        const reply = readEchoReply(data, 4, true);
        if (!reply || name.compare(from, 4, 8, 4, 8) !== 0) continue;
        last = { id: reply.id, sequence: reply.sequence, cookie: Buffer.from(reply.payload) };
      }
      if (!last) throw new Error(`expected an echo reply from ${ip}, got none`);
      return last;
    },
    answer({ id, sequence, cookie }) {
      const packet = Buffer.concat([Buffer.alloc(8), cookie]);
      packet.writeUInt16BE(id, 4);
      packet.writeUInt16BE(sequence, 6);
      packet.writeUInt16BE(internetChecksum(packet), 2);
      const sent = libc.sendto(fd, packet, packet.length, dontWait, to, to.length);
      if (sent !== packet.length) throw new Error(`sendto: error ${libc.errno()}`);
    },
    close() {
      libc.close(fd);
      libc.close(ears);
    },
  };
}
