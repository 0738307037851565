import { useState } from 'preact/hooks';
import type { Finding, Findings } from '../../schema/v1/findings.js';
import { groupTextOf } from '../../schema/v1/finding-subject.js';
import { isZoneLabel } from '../../schema/v1/zone-label.js';
import { copyText } from '../client/copy-text.js';
import { formatShare } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import { count } from '../model/verdict-words.js';
import { firstMatrix } from '../model/routes.js';
import { Glyph } from './glyph.js';
import { FindingHosts } from './host-lists.js';
import { NodeLink, TargetLink, useShortText } from './names.js';
import { Link } from './navigation.js';
import { TableScroller } from './table-scroller.js';
import { Time } from './time.js';

/** All open findings, the worst first. Each opens to its evidence and the next commands. */
export function FindingsList({ findings }: { readonly findings: Findings }) {
  const { unexplained = 0 } = findings;
  if (findings.findings.length === 0 && unexplained === 0) return null;
  return (
    <section class="findings" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <ol>
        {findings.findings.map((finding) => (
          <li key={finding.id}>
            <details class={`finding finding-${finding.severity}`}>
              <summary>
                <span class="disclosure" aria-hidden="true" />
                <FindingLine finding={finding} />
              </summary>
              <FindingBody finding={finding} />
            </details>
          </li>
        ))}
      </ol>
      {unexplained > 0 && (
        <p class="muted">
          {count(unexplained, 'failing pair')}
          {findings.findings.length > 0 && ' more'}, cause not known yet.
        </p>
      )}
    </section>
  );
}

function FindingLine({ finding }: { readonly finding: Finding }) {
  const short = useShortText();
  return (
    <>
      <Glyph kind={finding.severity} />
      <span class="finding-text">
        {finding.local === true && <b>This node: </b>}
        {short(finding.text)}
      </span>
      <span class="finding-since">
        {finding.known !== undefined && <span class="known">{plainText(finding.known)}</span>}{' '}
        <span class="tag">{finding.severity}</span> since <Time at={finding.since} />
      </span>
    </>
  );
}

/** The evidence of a finding and the next commands. */
export function FindingBody({ finding }: { readonly finding: Finding }) {
  const short = useShortText();
  const sightings = sightingsOf(finding);
  const nodes = [...(finding.node === undefined ? [] : [finding.node]), ...(finding.pair ?? [])];
  const [from, to] = finding.zones ?? [];
  return (
    <div class="finding-body">
      <dl class="facts">
        <Fact name="Kind">{plainText(finding.kind)}</Fact>
        {nodes.length > 0 && (
          <Fact name={nodes.length > 1 ? 'Nodes' : 'Node'}>
            {nodes.map((name, at) => (
              <span key={name}>
                {at > 0 && ' → '}
                <NodeLink name={name} />
              </span>
            ))}
          </Fact>
        )}
        {from !== undefined && to !== undefined && (
          <Fact name="Zones">
            <Link
              to={{
                view: 'zones',
                from,
                to,
                matrix: {
                  plane: finding.plane ?? 'host',
                  protocol: finding.protocols?.[0] ?? 'icmp',
                },
              }}
            >
              {plainText(from)} → {plainText(to)}
            </Link>
          </Fact>
        )}
        {finding.group && <GroupFact of={finding.group} />}
        {finding.groups?.map((group) => (
          <GroupFact key={group.value} name="Between" of={group} />
        ))}
        {finding.target !== undefined && (
          <Fact name="Target">
            <TargetLink name={finding.target} />
          </Fact>
        )}
        {finding.servers !== undefined && (
          <Fact name="Servers">{finding.servers.map(plainText).join(', ')}</Fact>
        )}
        {finding.known !== undefined && (
          <Fact name="The cluster says">{plainText(finding.known)}</Fact>
        )}
        {finding.examples !== undefined && (
          <Fact name="For example">{finding.examples.map(short).join(', ')}</Fact>
        )}
        {finding.direction !== undefined && (
          <Fact name="Direction">{plainText(finding.direction)}</Fact>
        )}
        <Fact name="Seen by">
          {finding.seenBy.failing.toLocaleString('en')} of {count(finding.seenBy.of, 'node')}
        </Fact>
        <Fact name="Explains">
          {count(finding.explains, finding.target === undefined ? 'failing pair' : 'failing look')}
        </Fact>
        <Fact name="Confidence">{formatShare(finding.confidence)}</Fact>
      </dl>
      <FindingHosts finding={finding} />
      {finding.next.length > 0 && (
        <>
          <h3>What to do next</h3>
          <ol class="commands">
            {finding.next.map((command) => (
              <li key={command}>
                <Command text={command} />
              </li>
            ))}
          </ol>
        </>
      )}
      {sightings.length > 0 && <EvidenceTable sightings={sightings} of={short(finding.text)} />}
      <p class="permalink">
        {finding.docs?.startsWith('https://') && (
          <>
            <a href={finding.docs} target="_blank" rel="noreferrer">
              What {plainText(finding.kind)} means
            </a>
            {' · '}
          </>
        )}
        <Link to={{ view: 'finding', id: finding.id }}>Link to this finding</Link>
      </p>
    </div>
  );
}

/** What the nodes of a group have in common, with a link to the matrix by that label. */
function GroupFact({
  of,
  name = 'In common',
}: {
  readonly of: NonNullable<Finding['group']>;
  readonly name?: string;
}) {
  const { label, nodes, like = [] } = of;
  const matrix = isZoneLabel(label) ? firstMatrix : { ...firstMatrix, by: label };
  return (
    <Fact name={name}>
      <Link to={{ view: 'overview', matrix }}>{plainText(groupTextOf(of))}</Link>,{' '}
      {count(nodes, 'node')}
      {like.length > 0 && `; the same nodes have ${like.map(plainText).join(', ')}`}
    </Fact>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const copyWords = { no: 'Copy', yes: 'Copied', failed: 'Not copied' } as const;

function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<keyof typeof copyWords>('no');
  return (
    <>
      <code tabIndex={0}>{plainText(text)}</code>
      <button
        type="button"
        onClick={() =>
          void copyText(text).then((isCopied) => setCopied(isCopied ? 'yes' : 'failed'))
        }
      >
        {copyWords[copied]}
      </button>
    </>
  );
}

/** What one node saw: of a path to another one, or of a target from one plane. */
interface Sighting {
  readonly from: string;
  readonly to?: string;
  readonly seenBy: string;
  readonly failure: string;
  readonly since: string;
}

function sightingsOf({ evidence, looks = [] }: Finding): readonly Sighting[] {
  return [
    ...evidence.map(({ plane, protocol, ...pair }) => ({
      ...pair,
      seenBy: `${plane} ${protocol.toUpperCase()}`,
    })),
    ...looks.map(({ plane, ...look }) => ({ ...look, seenBy: plane })),
  ];
}

function EvidenceTable({
  sightings,
  of,
}: {
  readonly sightings: readonly Sighting[];
  /** Tells the tables of several findings apart. */
  readonly of: string;
}) {
  const areOfPaths = sightings.some(({ to }) => to !== undefined);
  return (
    <TableScroller label={`Evidence: ${of}`}>
      <table>
        <caption>Evidence</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {areOfPaths && <th scope="col">To</th>}
            <th scope="col">{areOfPaths ? 'Path' : 'Plane'}</th>
            <th scope="col">Failure</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {sightings.map(({ from, to, seenBy, failure, since }, at) => (
            <tr key={at}>
              <td>
                <NodeLink isClipped name={from} />
              </td>
              {areOfPaths && <td>{to !== undefined && <NodeLink isClipped name={to} />}</td>}
              <td>{seenBy}</td>
              <td>{plainText(failure)}</td>
              <td>
                <Time at={since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
