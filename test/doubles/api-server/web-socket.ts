import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a WebSocket (RFC 6455), as far as binary messages go. Emits `message`. */
export class WebSocket extends EventEmitter<{ message: [Buffer] }> {
  readonly #socket: Duplex;
  #received = Buffer.alloc(0);

  /** Accepts the upgrade with this protocol. */
  constructor(request: IncomingMessage, socket: Duplex, protocol: string) {
    super();
    this.#socket = socket;
    const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
      `Sec-WebSocket-Protocol: ${protocol}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.on('data', (data: Buffer) => this.#read(data));
    socket.on('error', () => undefined);
  }

  send(data: Buffer): void {
    this.#write(2, data);
  }

  close(): void {
    this.#write(8, Buffer.from([0x03, 0xe8]));
    this.#socket.end();
  }

  #write(opcode: number, data: Buffer): void {
    const header = Buffer.alloc(4);
    header[0] = 0x80 | opcode;
    if (data.length < 126) header[1] = data.length;
    else {
      header[1] = 126;
      header.writeUInt16BE(data.length, 2);
    }
    const frame = [header.subarray(0, data.length < 126 ? 2 : 4), data];
    if (this.#socket.writable) this.#socket.write(Buffer.concat(frame));
  }

  /** Frames of clients are masked, and those of kubectl short. */
  #read(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const frame = this.#received;
      if (frame.length < 2) return;
      const short = (frame[1] ?? 0) & 0x7f;
      const offset = short === 126 ? 4 : 2;
      if (frame.length < offset) return;
      const length = short === 126 ? frame.readUInt16BE(2) : short;
      const end = offset + 4 + length;
      if (frame.length < end) return;
      const mask = frame.subarray(offset, offset + 4);
      const payload = Buffer.from(
        frame.subarray(offset + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)),
      );
      this.#received = frame.subarray(end);
      if (((frame[0] ?? 0) & 0x0f) === 2) this.emit('message', payload);
    }
  }
}
