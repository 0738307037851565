import { planes } from '../model/path.js';
import type { RowLarge, RowLargeLoss, RowLargePass } from '../model/row-large.js';

/** What a row tells of large packets, in few bytes. While none are lost anywhere no row has it. */
export interface PackedLarge {
  readonly bytes: Uint8Array;
  /** The addresses of the routers that name a limit. */
  readonly routers: readonly string[];
}

const lossBytes = 14;
const passBytes = 8;
const maxAge = 0xff_ffff;
const noRouter = 0xff;

interface Names {
  readonly numberOfNode: (name: string) => number | undefined;
  readonly nodeOfNumber: (number: number) => string | undefined;
}

/** Packs it: 14 bytes for each loss and 8 for each path that passes. Nodes that are not listed are left out. */
export function packLarge({ lost, passed }: RowLarge, { numberOfNode }: Names): PackedLarge {
  const isListed = ({ node }: RowLargePass) => numberOfNode(node) !== undefined;
  const [losses, passes] = [lost.filter(isListed), passed.filter(isListed)];
  const routers: string[] = [];
  const view = new DataView(
    new ArrayBuffer(1 + losses.length * lossBytes + passes.length * passBytes),
  );
  view.setUint8(0, losses.length);
  let at = 1;
  const writePath = ({ node, plane, ageSeconds }: RowLargePass, flags: number): void => {
    const age = Math.min(ageSeconds, maxAge);
    view.setUint32(at, numberOfNode(node) ?? 0);
    view.setUint8(at + 4, planes.indexOf(plane) | flags);
    view.setUint8(at + 5, age >>> 16);
    view.setUint16(at + 6, age & 0xffff);
  };
  for (const loss of losses) {
    const { isBack, limit } = loss;
    writePath(loss, (isBack ? 2 : 0) | (limit ? 4 : 0));
    view.setUint16(at + 8, limit?.bytes ?? 0);
    view.setUint16(at + 10, limit?.interfaceBytes ?? 0);
    view.setUint8(at + 12, routerNumber(routers, limit?.saidBy));
    at += lossBytes;
  }
  for (const pass of passes) {
    writePath(pass, 0);
    at += passBytes;
  }
  return { bytes: new Uint8Array(view.buffer), routers };
}

/** Unpacks what `packLarge` packed, without nodes that are no longer listed. */
export function unpackLarge({ bytes, routers }: PackedLarge, { nodeOfNumber }: Names): RowLarge {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lost: RowLargeLoss[] = [];
  const passed: RowLargePass[] = [];
  const readPath = (at: number): RowLargePass | undefined => {
    const node = nodeOfNumber(view.getUint32(at));
    const plane = planes[view.getUint8(at + 4) & 1];
    const ageSeconds = (view.getUint8(at + 5) << 16) | view.getUint16(at + 6);
    return node === undefined || !plane ? undefined : { node, plane, ageSeconds };
  };
  let at = 1;
  for (let left = view.getUint8(0); left > 0; left--, at += lossBytes) {
    const path = readPath(at);
    if (!path) continue;
    const flags = view.getUint8(at + 4);
    const saidBy = routers[view.getUint8(at + 12)];
    lost.push({
      ...path,
      ...((flags & 2) > 0 && { isBack: true }),
      ...((flags & 4) > 0 && {
        limit: {
          bytes: view.getUint16(at + 8),
          interfaceBytes: view.getUint16(at + 10),
          ...(saidBy !== undefined && { saidBy }),
        },
      }),
    });
  }
  for (; at < bytes.length; at += passBytes) {
    const path = readPath(at);
    if (path) passed.push(path);
  }
  return { lost, passed };
}

function routerNumber(routers: string[], saidBy: string | undefined): number {
  if (saidBy === undefined) return noRouter;
  const known = routers.indexOf(saidBy);
  return known === -1 ? routers.push(saidBy) - 1 : known;
}
