import { arch } from 'node:process';
import koffi from 'koffi';
import {
  encodeFilter,
  filterProgram,
} from '../../../../agent/probing/icmp/kernel/socket-filter.js';

const socketCall: Readonly<Record<string, number>> = { x64: 41, arm64: 198, riscv64: 198 };
const [setNoNewPrivileges, setSeccomp, filterMode] = [38, 22, 2];
const [allow, fail] = [0x7fff0000, 0x00050000];
const addressFamilyNotSupported = 97;

/**
 * Makes each new socket of an address family fail with EAFNOSUPPORT in this process. A host whose
 * kernel lacks the family behaves like that. The seccomp filter cannot be removed. Returns false if
 * it cannot be installed here.
 */
export function denySockets(familyNumber: number): boolean {
  const call = socketCall[arch];
  if (process.platform !== 'linux' || call === undefined) return false;
  const prctl = koffi.load(null).func('int prctl(int, ulong, void *, ulong, ulong)') as (
    ...values: readonly unknown[]
  ) => number;
  // In struct seccomp_data, the number of the call is at offset 0 and its first argument at 16.
  const program = encodeFilter([
    [0x20, 0, 0, 0],
    [0x15, 0, 3, call],
    [0x20, 0, 0, 16],
    [0x15, 0, 1, familyNumber],
    [0x06, 0, 0, fail | addressFamilyNotSupported],
    [0x06, 0, 0, allow],
  ]);
  const header = filterProgram(program, koffi.address(program));
  if (prctl(setNoNewPrivileges, 1, null, 0, 0) !== 0) return false;
  return prctl(setSeccomp, filterMode, header, 0, 0) === 0;
}
