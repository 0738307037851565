import type { Plane, Protocol } from '../../schema/v1/fields.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import { useIsShownPlane } from '../client/use-shown-planes.js';
import { formatRtt } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import { largeWords, pathWord } from '../model/path-word.js';
import { Glyph, glyphOf } from './glyph.js';
import { TableScroller } from './table-scroller.js';
import { Time } from './time.js';

const planes: readonly Plane[] = ['host', 'endpoint'];
const protocols: readonly Protocol[] = ['icmp', 'http'];

/** This agent's own paths to a node: two planes by two protocols. */
export function NodePaths({ node }: { readonly node: NodeEntry }) {
  const isShownPlane = useIsShownPlane();
  return (
    <section aria-labelledby="paths">
      <h2 id="paths">Paths from this agent</h2>
      <TableScroller label="Table of paths">
        <table class="paths-table">
          <thead>
            <tr>
              <th scope="col">Plane</th>
              <th scope="col">Protocol</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                RTT
              </th>
              <th scope="col">Since</th>
              <th scope="col">Addresses</th>
            </tr>
          </thead>
          <tbody>
            {planes.filter(isShownPlane).flatMap((plane) =>
              protocols.map((protocol, at) => {
                const path = node.paths[plane]?.[protocol];
                const word = path && pathWord(path);
                const why = path?.failure ?? path?.reason;
                const large =
                  protocol === 'http' ? largeWords(node.paths[plane]?.large) : undefined;
                return (
                  <tr key={`${plane} ${protocol}`}>
                    <th scope="row">{plane}</th>
                    <td>{protocol.toUpperCase()}</td>
                    <td>
                      <span class="nowrap">
                        <Glyph kind={glyphOf(word)} /> {word ?? 'not probed'}
                      </span>
                      {why !== undefined && <span class="muted"> {plainText(why)}</span>}
                      {large !== undefined && <span class="muted"> {large}</span>}
                    </td>
                    <td class="number nowrap">{formatRtt(path?.rttNs)}</td>
                    <td>
                      <Time at={path?.since} />
                    </td>
                    <td class="muted">{at === 0 && (addressWords(node, plane) || 'none')}</td>
                  </tr>
                );
              }),
            )}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

function addressWords({ addresses, unreachableAddresses = [] }: NodeEntry, plane: Plane): string {
  return addresses[plane]
    .map((ip) => `${plainText(ip)}${unreachableAddresses.includes(ip) ? ' (does not answer)' : ''}`)
    .join(', ');
}
