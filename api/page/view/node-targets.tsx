import type { NodeEntry } from '../../schema/v1/nodes.js';
import { formatRtt } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import { Glyph, glyphOf } from './glyph.js';
import { TargetLink } from './names.js';
import { TableScroller } from './table-scroller.js';

/** What a node reaches of the targets, by its own row. Nothing where it tells of none. */
export function NodeTargets({ node: { targets } }: { readonly node: NodeEntry }) {
  if (!targets || targets.length === 0) return null;
  return (
    <section aria-labelledby="node-targets">
      <h2 id="node-targets">Targets from this node</h2>
      <TableScroller label="Targets from this node">
        <table class="paths-table">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Plane</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                p50
              </th>
              <th scope="col" class="number">
                p99
              </th>
            </tr>
          </thead>
          <tbody>
            {targets.map(({ name, plane, state, failureKind, p50Ns, p99Ns }) => (
              <tr key={`${plane} ${name}`}>
                <th scope="row">
                  <TargetLink name={name} />
                </th>
                <td>{plane}</td>
                <td>
                  <span class="nowrap">
                    <Glyph kind={glyphOf(state)} /> {state}
                  </span>
                  {failureKind !== undefined && (
                    <span class="muted"> {plainText(failureKind)}</span>
                  )}
                </td>
                <td class="number nowrap">{formatRtt(p50Ns)}</td>
                <td class="number nowrap">{formatRtt(p99Ns)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}
