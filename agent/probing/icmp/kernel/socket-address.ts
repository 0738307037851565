/** Address families as Linux numbers them. */
export const familyNumber = { 4: 2, 6: 10 } as const;

export type Family = keyof typeof familyNumber;

/** Where the address bytes stand in a sockaddr_in and a sockaddr_in6, and how many they are. */
export const addressAt = { 4: { at: 4, bytes: 4 }, 6: { at: 8, bytes: 16 } } as const;

export const sockaddrBytes = { 4: 16, 6: 28 } as const;

/** A sockaddr of an IP literal and a port; without a literal, of any address. */
export function socketAddress(family: Family, ip?: string, port = 0): Buffer {
  // Taken from Node's pool: thousands are kept, and each would be an allocation of its own.
  const address = Buffer.allocUnsafe(sockaddrBytes[family]).fill(0);
  address.writeUInt16LE(familyNumber[family], 0);
  address.writeUInt16BE(port, 2);
  if (ip === undefined) return address;
  const { at } = addressAt[family];
  if (family === 4) ip.split('.').forEach((part, i) => address.writeUInt8(Number(part), at + i));
  else groupsOf(ip).forEach((group, i) => address.writeUInt16BE(group, at + 2 * i));
  return address;
}

/** The IP literal in a sockaddr, or undefined where it is of another family. */
export function literalOf(address: Buffer): string | undefined {
  switch (address.readUInt16LE(0)) {
    case familyNumber[4]:
      return [...address.subarray(4, 8)].join('.');
    case familyNumber[6]: {
      const groups = Array.from({ length: 8 }, (_, i) =>
        address.readUInt16BE(8 + 2 * i).toString(16),
      );
      return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
    }
    default:
      return undefined;
  }
}

/** The eight groups of a canonical IPv6 literal. */
function groupsOf(ip: string): number[] {
  const [head = '', tail] = ip.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  const right = parse(tail ?? '');
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
