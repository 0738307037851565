import { planes, type Plane } from './path.js';
import { protocols, type Protocol } from './sample.js';

/** One way to a node: a plane and a protocol. There are four. */
export interface Channel {
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** The channels in the order of their numbers: host ICMP, host HTTP, endpoint ICMP, endpoint HTTP. */
export const channels: readonly Channel[] = planes.flatMap((plane) =>
  protocols.map((protocol) => ({ plane, protocol })),
);

/** The number of a channel, 0 to 3: its place in `channels`, on the wire and in masks. */
export function channelNumber(plane: Plane, protocol: Protocol): number {
  return (plane === 'endpoint' ? 2 : 0) + (protocol === 'http' ? 1 : 0);
}

/** One value for each channel. */
export type PerChannel<T> = Readonly<Record<Plane, Readonly<Record<Protocol, T>>>>;

/** Makes a value for each channel, in the order of their numbers. */
export function perChannel<T>(create: (channel: Channel, number: number) => T): PerChannel<T> {
  const make = (number: number): T => {
    const channel = channels[number];
    if (!channel) throw new RangeError(`expected a channel from 0 to 3, got ${number}`);
    return create(channel, number);
  };
  return {
    host: { icmp: make(0), http: make(1) },
    endpoint: { icmp: make(2), http: make(3) },
  };
}
