import { useAgentState } from '../client/context.js';
import { plainText } from '../model/plain-text.js';
import { FindingBody } from './findings.js';
import { allEvents, firstMatrix } from '../model/routes.js';
import { Glyph } from './glyph.js';
import { useShortText } from './names.js';
import { Link } from './navigation.js';
import { Time } from './time.js';

/** One finding on a page of its own. A ticket can link to it. */
export function FindingPage({ id }: { readonly id: string }) {
  const short = useShortText();
  const findings = useAgentState((state) => state.findings);
  const finding = findings?.findings.find((one) => one.id === id);
  if (!finding) {
    return (
      <section class="page" aria-labelledby="finding">
        <h1 id="finding" tabIndex={-1}>
          This finding is no longer open
        </h1>
        <p>
          <code>{plainText(id)}</code> is not among the open findings.{' '}
          <Link to={{ view: 'overview', matrix: firstMatrix }}>See how the cluster is now</Link>, or
          look for it in the <Link to={allEvents}>events</Link>.
        </p>
      </section>
    );
  }
  return (
    <article class={`page finding finding-${finding.severity}`} aria-labelledby="finding">
      <header class="finding-head">
        <Glyph kind={finding.severity} />
        <h1 id="finding" tabIndex={-1}>
          {short(finding.text)}
        </h1>
        <p class="finding-since">
          <span class="tag">{finding.severity}</span> since <Time at={finding.since} />
        </p>
      </header>
      <FindingBody finding={finding} />
    </article>
  );
}
