import type { Logger } from 'pino';
import type { ForeignSource } from '../exchange/messages/sender-check.js';
import type { Problems } from '../platform/problems.js';

/** How long a refused source stays among the problems after it was last met. */
const shownMs = 300_000;
/** So many refused names are told of at the same time. They may be made up. */
const mostShown = 4;
/** So many addresses of a node are named. */
const mostAddresses = 4;

/** Tells of peers that send from addresses that are not their own. */
export interface ForeignSourceReporter {
  /** Takes a GET that was refused. */
  readonly note: (source: ForeignSource) => void;
  /** Forgets those of which the node list says now that the address is that of the peer. */
  readonly forgetOwn: (nodeAt: (hostIp: string) => string | undefined) => void;
}

/**
 * Makes a problem of each GET whose row and hints were refused because of its
 * source address: without it, a network that translates source addresses leaves all agents silent.
 */
export function createForeignSourceReporter(
  problems: Pick<Problems, 'setFor' | 'clear'>,
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number,
): ForeignSourceReporter {
  const shown = new Map<string, { readonly sourceIp: string; readonly untilMs: number }>();
  const note = (source: ForeignSource): void => {
    const { from, sourceIp } = source;
    for (const [name, { untilMs }] of shown) if (untilMs <= nowMs()) shown.delete(name);
    if (shown.size >= mostShown && !shown.has(from)) return;
    shown.set(from, { sourceIp, untilMs: nowMs() + shownMs });
    const isNew = problems.setFor(`mesh-source ${from}`, describe(source), shownMs);
    if (isNew) logger.warn({ from, sourceIp }, 'a peer sends from an address that is not its own');
  };
  return {
    note,
    forgetOwn(nodeAt) {
      for (const [name, { sourceIp }] of shown) {
        if (nodeAt(sourceIp) !== name) continue;
        shown.delete(name);
        problems.clear(`mesh-source ${name}`);
      }
    },
  };
}

function describe({ from, sourceIp, owner, hostIps }: ForeignSource): string {
  const says = `a GET that says it comes from ${from} came from ${sourceIp}`;
  if (hostIps === undefined) {
    return `${says}, a node IP of ${owner ?? 'no node'}; ${from} is not in the node list (its --node-name)`;
  }
  const known = hostIps.slice(0, mostAddresses).join(', ');
  const more = hostIps.length > mostAddresses ? ` and ${hostIps.length - mostAddresses} more` : '';
  const whose = owner === undefined ? '' : ` but one of ${owner}`;
  return `${says}, which is not among its node IPs ${known}${more}${whose}; its row is refused (--mesh-source here, or that address among its host addresses in the node list)`;
}
