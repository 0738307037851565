/** One control message as the kernel lays it out. */
export function control(level: number, type: number, data: Buffer): Buffer {
  const message = Buffer.alloc((16 + data.length + 7) & ~7);
  message.writeBigUInt64LE(BigInt(16 + data.length), 0);
  message.writeInt32LE(level, 8);
  message.writeInt32LE(type, 12);
  data.copy(message, 16);
  return message;
}
