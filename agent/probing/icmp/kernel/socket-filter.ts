import type { Family } from './socket-address.js';

// Operations of classic BPF (linux/bpf_common.h).
const loadIpHeaderBytesIntoX = 0xb1;
const loadHalfWordAfterX = 0x48;
const loadHalfWord = 0x28;
const jumpIfEqual = 0x15;
const take = 0x06;

/** Operation, instructions to skip where it is true and where not, operand. */
export type Instruction = readonly [number, number, number, number];

const instructionBytes = 8;
const idAt = 4;

/**
 * The program (struct sock_filter) that lets only ICMP packets with an identifier through: for IPv4 behind
 * the IP header, for ICMPv6 without one, as the kernel delivers them to raw sockets.
 */
export function identifierFilter(family: Family, id: number): Buffer {
  const loadId: readonly Instruction[] =
    family === 4
      ? [
          [loadIpHeaderBytesIntoX, 0, 0, 0],
          [loadHalfWordAfterX, 0, 0, idAt],
        ]
      : [[loadHalfWord, 0, 0, idAt]];
  const program: readonly Instruction[] = [
    ...loadId,
    [jumpIfEqual, 0, 1, id],
    [take, 0, 0, 0xffff],
    [take, 0, 0, 0],
  ];
  return encodeFilter(program);
}

/** The bytes of a program of classic BPF: one struct sock_filter after the other. */
export function encodeFilter(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * instructionBytes);
  program.forEach(([code, ifTrue, ifFalse, operand], index) => {
    const at = index * instructionBytes;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  });
  return bytes;
}

/** A struct sock_fprog, which points to the program: keep that as long as this is used. */
export function filterProgram(program: Buffer, address: bigint): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length / instructionBytes, 0);
  header.writeBigUInt64LE(address, 8);
  return header;
}
