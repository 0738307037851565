// Steps the system clock by a number of seconds, says so, and puts it right again. It does so when
// its standard input ends, which includes the death of the test, and after a few seconds at the
// latest. The monotonic clock tells the right time, because no step moves it.
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

/** @param {bigint} leadNs the wanted lead of the system clock over the monotonic one */
function setLead(leadNs) {
  const atNs = now(monotonic) + leadNs;
  const time = Buffer.alloc(16);
  time.writeBigInt64LE(atNs / secondNs, 0);
  time.writeBigInt64LE(atNs % secondNs, 8);
  if (settime(realtime, time) !== 0) throw new Error(`clock_settime: error ${koffi.errno()}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const readLead = () => now(realtime) - now(monotonic);
// The first call of each function is slow, so the lead is read again after it.
readLead();
const leadNs = readLead();
let isRight = false;
function putRight() {
  if (isRight) return;
  isRight = true;
  setLead(leadNs);
  // The second call is quicker and so sets a more exact time.
  setLead(leadNs);
  process.exit(0);
}

setTimeout(putRight, longestMs);
process.stdin.on('end', putRight).on('error', putRight).resume();
setLead(leadNs + BigInt(process.argv[2] ?? 0) * secondNs);
process.stdout.write('stepped\n');
