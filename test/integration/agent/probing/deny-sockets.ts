import { arch } from 'node:process';
import koffi from 'koffi';

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
  const program = instructions([
    [0x20, 0, 0, 0],
    [0x15, 0, 3, call],
    [0x20, 0, 0, 16],
    [0x15, 0, 1, familyNumber],
    [0x06, 0, 0, fail | addressFamilyNotSupported],
    [0x06, 0, 0, allow],
  ]);
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length / 8, 0);
  header.writeBigUInt64LE(koffi.address(program), 8);
  if (prctl(setNoNewPrivileges, 1, null, 0, 0) !== 0) return false;
  return prctl(setSeccomp, filterMode, header, 0, 0) === 0;
}

function instructions(program: readonly (readonly [number, number, number, number])[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, operand], i) => {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(operand, i * 8 + 4);
  });
  return bytes;
}
