/** The parts of net-ping 1.2.4 that the engine uses or overrides; the package ships no types. */
declare module 'net-ping' {
  import type { EventEmitter } from 'node:events';

  export interface Request {
    readonly id: number;
    readonly target: string;
    readonly timeout: number;
    readonly callback: (error: Error | null, target: string, sent: Date, received: Date) => void;
    buffer?: Buffer;
    retries: number;
  }

  export interface RawSocket {
    setOption(level: number, option: number, value: number): void;
  }

  export interface SessionOptions {
    readonly networkProtocol: number;
    readonly packetSize: number;
    readonly retries: number;
    readonly sessionId: number;
    readonly ttl: number;
  }

  export class Session extends EventEmitter {
    constructor(options: SessionOptions);
    readonly sessionId: number;
    readonly reqs: Record<number, Request | undefined>;
    getSocket(): RawSocket;
    close(): this;
    reqQueue(request: Request): this;
    reqRemove(id: number): Request | undefined;
    toBuffer(request: Request): Buffer;
    onBeforeSocketSend(request: Request): void;
    onSocketMessage(packet: Buffer, source: string): void;
    onTimeout(request: Request): void;
  }

  export const NetworkProtocol: { readonly IPv4: number; readonly IPv6: number };
}
