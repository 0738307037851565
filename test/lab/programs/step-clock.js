// Steps the system clock by so many seconds, says so, and puts it right again: when its standard input
// ends, which it also does when the test dies, and after a few seconds whatever happens. What is right
// is told by the monotonic clock, which no step moves.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import koffi from 'koffi';

const realtime = 0;
const monotonic = 1;
const secondNs = 1_000_000_000n;
const longestMs = 4000;

const libc = koffi.load(null);
const gettime = libc.func('int clock_gettime(int, void *)');
const settime = libc.func('int clock_settime(int, const void *)');

/** @param {number} clock */
function now(clock) {
  const time = Buffer.alloc(16);
  gettime(clock, time);
  return time.readBigInt64LE(0) * secondNs + time.readBigInt64LE(8);
}

/** @param {bigint} leadNs how far the system clock is to be before the monotonic one */
function setLead(leadNs) {
  const atNs = now(monotonic) + leadNs;
  const time = Buffer.alloc(16);
  time.writeBigInt64LE(atNs / secondNs, 0);
  time.writeBigInt64LE(atNs % secondNs, 8);
  if (settime(realtime, time) !== 0) throw new Error(`clock_settime: error ${koffi.errno()}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const readLead = () => now(realtime) - now(monotonic);
// The first call of each is slow, so the lead that counts is read after it.
readLead();
const leadNs = readLead();
let isRight = false;
function putRight() {
  if (isRight) return;
  isRight = true;
  setLead(leadNs);
  // Once more: the call is quicker by now, and nearer to the truth.
  setLead(leadNs);
  process.exit(0);
}

setTimeout(putRight, longestMs);
process.stdin.on('end', putRight).on('error', putRight).resume();
setLead(leadNs + BigInt(process.argv[2] ?? 0) * secondNs);
process.stdout.write('stepped\n');
