import type { Finding } from '../../schema/v1/findings.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import { changeWords } from '../model/event-words.js';
import { plainText } from '../model/plain-text.js';
import { Glyph } from './glyph.js';
import { NodeLink } from './names.js';
import { Time } from './time.js';

/** What the host of a node shows, and what changed on it. Nothing where it tells of none. */
export function NodeHost({ node: { signs = [], changes = [] } }: { readonly node: NodeEntry }) {
  if (signs.length + changes.length === 0) return null;
  return (
    <section aria-labelledby="node-host">
      <h2 id="node-host">Its host</h2>
      {signs.length > 0 && (
        <>
          <h3>What it shows</h3>
          <SignList signs={signs} />
        </>
      )}
      {changes.length > 0 && (
        <>
          <h3>What changed on it</h3>
          <ChangeList changes={changes} />
        </>
      )}
    </section>
  );
}

/** What the hosts at the ends of a finding show since about the same time, and what changed on them before. It names no cause. */
export function FindingHosts({
  finding: { signs = [], changes = [], since },
}: {
  readonly finding: Finding;
}) {
  const sinceMs = Date.parse(since);
  const isBefore = ({ at }: { readonly at: string }): boolean => Date.parse(at) <= sinceMs;
  const before = changes.filter(isBefore);
  const meanwhile = changes.filter((change) => !isBefore(change));
  return (
    <>
      {signs.length > 0 && (
        <>
          <h3>At the same time</h3>
          <SignList signs={signs} />
        </>
      )}
      {before.length > 0 && (
        <>
          <h3>Before it</h3>
          <ChangeList changes={before} />
        </>
      )}
      {meanwhile.length > 0 && (
        <>
          <h3>As it began</h3>
          <ChangeList changes={meanwhile} />
        </>
      )}
    </>
  );
}

type Sign = Pick<NonNullable<NodeEntry['signs']>[number], 'text' | 'since' | 'orBefore'> & {
  readonly node?: string;
  readonly lastToldAt?: string | undefined;
};
type Change = Pick<NonNullable<NodeEntry['changes']>[number], 'text' | 'at' | 'withinSeconds'> & {
  readonly node?: string;
};

function SignList({ signs }: { readonly signs: readonly Sign[] }) {
  return (
    <ul class="events">
      {signs.map(({ node, text, since, orBefore = false, lastToldAt }, index) => (
        <li key={index} class="event">
          <Glyph kind="degraded" />
          <span>
            since <Time at={since} />
            {orBefore && ' or before'}
          </span>
          {lastToldAt !== undefined && (
            <span>
              told last <Time at={lastToldAt} />
            </span>
          )}
          <span class="event-words">
            <Of node={node} />
            {plainText(text)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul class="events">
      {changes.map(({ node, at, ...change }, index) => (
        <li key={index} class="event">
          <Glyph kind="news" />
          <Time at={at} />
          <span class="event-words">
            <Of node={node} />
            {plainText(changeWords(change))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Of({ node }: { readonly node: string | undefined }) {
  return node === undefined ? null : (
    <>
      <NodeLink name={node} />{' '}
    </>
  );
}
