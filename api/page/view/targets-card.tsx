import type { TargetBody, TargetPlane, Targets } from '../../schema/v1/targets.js';
import { useAgentBody, useKept } from '../client/use-agent-body.js';
import { formatRtt } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import { notFromWords, reachedWords, targetPlanes } from '../model/target-words.js';
import { Glyph, glyphOf } from './glyph.js';
import { useShortText } from './names.js';
import { Link } from './navigation.js';
import { TableScroller } from './table-scroller.js';

const refreshMs = 5000;

/** What the cluster lives on, and who reaches it. Nothing is shown where there are no targets. */
export function TargetsCard() {
  const { body: newest } = useAgentBody<Targets>('/v1/targets', refreshMs);
  const body = useKept(newest);
  if (!body || body.targets.length === 0) return null;
  return (
    <section aria-labelledby="targets">
      <h2 id="targets">Targets</h2>
      <TableScroller label="Table of targets">
        <table class="paths-table">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Plane</th>
              <th scope="col">Verdict</th>
              <th scope="col">Reached from</th>
              <th scope="col" class="number">
                p50
              </th>
              <th scope="col" class="number">
                p99
              </th>
              <th scope="col">Not from</th>
            </tr>
          </thead>
          <tbody>
            {body.targets.flatMap((target) =>
              targetPlanes(target).map(([plane, ofPlane]) => (
                <TargetRow
                  key={`${plane} ${target.name}`}
                  target={target}
                  plane={plane}
                  ofPlane={ofPlane}
                />
              )),
            )}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

interface TargetRowProps {
  readonly target: Pick<TargetBody, 'name' | 'verdict'>;
  readonly plane: string;
  readonly ofPlane: TargetPlane;
}

function TargetRow({ target, plane, ofPlane }: TargetRowProps) {
  const short = useShortText();
  return (
    <tr>
      <th scope="row">
        <Link to={{ view: 'target', name: target.name }}>
          <bdi class="name">{plainText(target.name)}</bdi>
        </Link>
      </th>
      <td>{plane}</td>
      <td class="nowrap">
        <Glyph kind={glyphOf(target.verdict)} /> {target.verdict}
      </td>
      <td class="nowrap">{reachedWords(ofPlane)}</td>
      <td class="number nowrap">{formatRtt(ofPlane.p50Ns)}</td>
      <td class="number nowrap">{formatRtt(ofPlane.p99Ns)}</td>
      <td>{notFromWords(ofPlane, 3, short) || '–'}</td>
    </tr>
  );
}
