import { listGroups } from '../../model/row-coverage.js';
import type { RowList } from '../../model/row.js';
import { maxNewerItems, type ValueReader } from './value-reader.js';

const digestBytes = 4;
const maxNodes = 1_000_000;
/** Base64 of all digests. */
const textPattern = /^[A-Za-z0-9+/]{86}==$/;

/** How many nodes there are, and their digests as base64: 100 bytes at the most. */
export function encodeList({ nodes, digests }: RowList): [nodes: number, digests: string] {
  const bytes = Buffer.alloc(listGroups * digestBytes);
  digests.forEach((digest, group) => bytes.writeUInt32BE(digest, group * digestBytes));
  return [nodes, bytes.toString('base64')];
}

/**
 * Reads what `encodeList` wrote; newer agents may add items.
 *
 * @param share gives the list that was read before from the same text: mostly all agents have one list
 * @throws MalformedRow
 */
export function decodeList(
  read: ValueReader,
  share: (text: string, nodes: number, parse: () => RowList) => RowList,
): RowList {
  const items = read.list(2, maxNewerItems);
  const nodes = read.whole(maxNodes);
  const text = read.text(textPattern);
  read.skip(items - 2);
  return share(text, nodes, () => {
    const bytes = Buffer.from(text, 'base64');
    const digests = Array.from({ length: listGroups }, (_, group) =>
      bytes.readUInt32BE(group * digestBytes),
    );
    return { nodes, digests };
  });
}

export function isSameList(before: RowList | undefined, after: RowList | undefined): boolean {
  return before?.nodes === after?.nodes && before?.digests.join() === after?.digests.join();
}
