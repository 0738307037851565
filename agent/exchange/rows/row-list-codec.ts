import { listGroups } from '../../model/row-coverage.js';
import type { RowList } from '../../model/row.js';

const digestBytes = 4;
/** A newer agent may add items. */
const mostItems = 16;
/** Base64 of all digests. */
const textLength = Math.ceil((listGroups * digestBytes) / 3) * 4;
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** A list in the text of a row: how many nodes it has, and its digests as base64. */
export type WireList = [nodes: number, digests: string];

/** Writes a list in 100 bytes at the most. */
export function encodeRowList({ nodes, digests }: RowList): WireList {
  const bytes = Buffer.alloc(listGroups * digestBytes);
  digests.forEach((digest, group) => bytes.writeUInt32BE(digest, group * digestBytes));
  return [nodes, bytes.toString('base64')];
}

/** Reads what `encodeRowList` wrote. Undefined if it is malformed. */
export function decodeRowList(value: unknown, mostNodes: number): RowList | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > mostItems) return undefined;
  const [nodes, text] = value as unknown[];
  if (typeof nodes !== 'number' || !Number.isInteger(nodes)) return undefined;
  if (nodes < 0 || nodes > mostNodes) return undefined;
  if (typeof text !== 'string' || text.length !== textLength) return undefined;
  if (!base64Pattern.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== listGroups * digestBytes) return undefined;
  const digests = Array.from({ length: listGroups }, (_, group) =>
    bytes.readUInt32BE(group * digestBytes),
  );
  return { nodes, digests };
}
