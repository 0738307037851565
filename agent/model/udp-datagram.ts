import type { Signer } from './signed-fields.js';

/** Every datagram, asked or answered, has as many bytes: an answer is never larger than what asked for it. */
export const datagramBytes = 44;

const magic = 'mpu1';
const types = { request: 1, answer: 2 } as const;
const at = { type: 4, session: 8, sequence: 16, counter: 20, epoch: 24, code: 28 } as const;
const sessionBytes = at.sequence - at.session;

/** One datagram of the test by UDP. */
export interface Datagram {
  readonly type: keyof typeof types;
  /** Drawn by who asks, eight bytes: an answer without it is of a stranger. */
  readonly session: string;
  /** From 1 on, one more with each datagram of the session. */
  readonly sequence: number;
  /** Of an answer: how many datagrams of the session have come, with this one. */
  readonly counter: number;
  /** Of an answer: drawn where the counting began. */
  readonly epoch: number;
}

export function encodeDatagram(datagram: Datagram, keys: Signer): Buffer {
  const { type, session, sequence, counter, epoch } = datagram;
  const data = Buffer.alloc(datagramBytes);
  data.write(magic, 'latin1');
  data.writeUInt8(types[type], at.type);
  data.write(session, at.session, sessionBytes, 'latin1');
  data.writeUInt32BE(sequence, at.sequence);
  data.writeUInt32BE(counter, at.counter);
  data.writeUInt32BE(epoch, at.epoch);
  const code = keys.sign(signedText(data));
  if (code !== undefined) data.write(code, at.code, 'base64url');
  return data;
}

/** Reads a datagram of one type; undefined for anything else. Whether it is signed is not looked at. */
export function decodeDatagram(data: Buffer, type: Datagram['type']): Datagram | undefined {
  if (data.length !== datagramBytes || data.toString('latin1', 0, at.type) !== magic) {
    return undefined;
  }
  if (data.readUInt32BE(at.type) !== types[type] << 24) return undefined;
  return {
    type,
    session: data.toString('latin1', at.session, at.sequence),
    sequence: data.readUInt32BE(at.sequence),
    counter: data.readUInt32BE(at.counter),
    epoch: data.readUInt32BE(at.epoch),
  };
}

/** Whether who has the key made this datagram; without a key every one is accepted. */
export function isSigned(data: Buffer, keys: Signer): boolean {
  return !keys.isKeyed || keys.accepts(signedText(data), data.toString('base64url', at.code));
}

function signedText(data: Buffer): string {
  return `udp\n${data.toString('hex', 0, at.code)}`;
}
