import { useAgentState } from '../client/context.js';
import type { Protocol } from '../../schema/v1/fields.js';
import type { Summary } from '../../schema/v1/summary.js';
import { plainText } from '../model/plain-text.js';
import { shownPlanes } from '../model/shown-planes.js';
import { count, headlineOf, notKnownWords, verdictBasis } from '../model/verdict-words.js';
import { Glyph, glyphOf } from './glyph.js';
import { Name } from './names.js';
import { Time } from './time.js';

/** The verdict of the cluster and its basis. The reader sees it first. */
export function VerdictBanner({ summary }: { readonly summary: Summary }) {
  const { verdict } = summary;
  const notKnown = notKnownWords(summary);
  return (
    <section class={`verdict verdict-${verdict}`} aria-labelledby="verdict">
      <Glyph kind={glyphOf(verdict)} />
      <div>
        <h1 id="verdict" tabIndex={-1}>
          {headlineOf(verdict)}
          {summary.findings > 0 && (
            <span class="verdict-count">{count(summary.findings, 'finding')}</span>
          )}
        </h1>
        {notKnown !== undefined && <p class="verdict-reason">{notKnown}</p>}
        <p>{verdictBasis(summary)}</p>
        <AgentProblems problems={summary.problems} />
      </div>
      <p class="verdict-source">
        <span>
          seen from <Name of={summary.node} />
        </span>
        <Time at={summary.at} />
      </p>
    </section>
  );
}

/** What is wrong with the agent that answers. The verdict of the cluster does not tell it. */
function AgentProblems({ problems = [] }: Pick<Summary, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <details class="agent-problems">
      <summary>This agent has {count(problems.length, 'problem')}</summary>
      <ul>
        {problems.map(({ code, text }) => (
          <li key={`${code} ${text}`}>{plainText(text)}</li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Announces a new verdict to screen readers. The element stays in the page, because a new element
 * is not announced.
 */
export function VerdictAnnouncer() {
  const summary = useAgentState((state) => state.summary);
  const phase = useAgentState((state) => state.phase);
  const words =
    phase === 'away'
      ? 'The agent does not answer.'
      : phase === 'unauthorized'
        ? 'The agent asks for a token.'
        : summary &&
          [
            `${headlineOf(summary.verdict)}.`,
            `${count(summary.findings, 'finding')}.`,
            notKnownWords(summary) ?? '',
          ]
            .join(' ')
            .trimEnd();
  return (
    <p class="visually-hidden" aria-live="polite" role="status">
      {words}
    </p>
  );
}

/** A count that follows another one: a comma parts them, and a line never ends within it. */
function NotWell(props: { readonly count: number; readonly word: string; readonly look: string }) {
  const { count: number, word, look } = props;
  if (number === 0) return null;
  return (
    <>
      {', '}
      <span class={`${look} nowrap`}>
        {number.toLocaleString('en')} {word}
      </span>
    </>
  );
}

const protocols: readonly Protocol[] = ['icmp', 'http'];

/** This agent's own paths to active nodes as four counts. */
export function OwnPaths({ summary }: { readonly summary: Summary }) {
  return (
    <dl class="own-paths" aria-label={`Paths from ${summary.node}`}>
      {shownPlanes(summary).flatMap((plane) =>
        protocols.map((protocol) => {
          const counts = summary.paths[plane][protocol];
          const notProbed = summary.notProbed?.find((one) => one.protocol === protocol);
          const reachable = counts?.reachable ?? 0;
          const failing = counts?.unreachable ?? 0;
          const unknown = counts?.unknown ?? 0;
          const lossy = counts?.lossy ?? 0;
          const slow = counts?.slow ?? 0;
          const total = reachable + failing + unknown;
          const state =
            failing > 0
              ? 'broken'
              : lossy + slow > 0
                ? 'degraded'
                : total > unknown
                  ? 'ok'
                  : 'unknown';
          return (
            <div key={`${plane} ${protocol}`} class={`own-path own-path-${state}`}>
              <dt>
                {plane} {protocol.toUpperCase()}
              </dt>
              <dd>
                <Glyph kind={state} />
                {notProbed ? (
                  <span class="muted">not probed ({plainText(notProbed.reason)})</span>
                ) : total === 0 ? (
                  <span class="muted">no path yet</span>
                ) : (
                  <>
                    <b>{reachable.toLocaleString('en')}</b> of {total.toLocaleString('en')}
                  </>
                )}
                <NotWell count={failing} word="failing" look="bad" />
                <NotWell count={lossy} word="lossy" look="warn" />
                <NotWell count={slow} word="slow" look="warn" />
                <NotWell count={unknown} word="unknown" look="muted" />
              </dd>
            </div>
          );
        }),
      )}
    </dl>
  );
}
