import koffi from 'koffi';

const newNetwork = 0x40000000;

/**
 * Moves the calling thread to a network namespace of its own, for good: it has nothing but a loopback
 * device that is down. Returns false if this process may not do that.
 */
export function enterNetworkNamespace(): boolean {
  if (process.platform !== 'linux') return false;
  const unshare = koffi.load(null).func('int unshare(int)') as (flags: number) => number;
  return unshare(newNetwork) === 0;
}
