// Captures the ICMP echoes of a device until its standard input ends, then writes every exchange.
import { readFileSync } from 'node:fs';
import { Exchanges, writeExchanges } from '../capture/exchanges.js';
import { readEcho } from '../capture/frame.js';
import { PacketSocket } from '../capture/packet-socket.js';

/**
 * The buffer holds much more than this time's packets. Rare reads leave the processor to the
 * measured programs.
 */
const readEveryMs = 50;

const [device = 'eth0'] = process.argv.slice(2);
const index = Number(readFileSync(`/sys/class/net/${device}/ifindex`, 'utf8'));
const socket = new PacketSocket(index);
const exchanges = new Exchanges();

function read(): void {
  socket.read(({ isOutgoing, packet, stamp }) => {
    const echo = readEcho(packet);
    if (echo && (echo.kind === 'request') === isOutgoing) exchanges.add(echo, stamp);
  });
}

const timer = setInterval(read, readEveryMs);
process.stdin.resume().once('end', () => {
  clearInterval(timer);
  read();
  process.stderr.write(`${socket.drops()}\n`);
  process.stdout.write(writeExchanges(exchanges.complete));
});
process.stdout.write('\n');
