import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import type { Phase } from '../client/live-agent.js';
import type { Summary } from '../../schema/v1/summary.js';
import { plainText } from '../model/plain-text.js';
import type { Route } from '../model/routes.js';
import { count, headlineOf } from '../model/verdict-words.js';
import { AwayBanner } from './away-banner.js';
import { EventsPage } from './events-page.js';
import { showInFavicon } from './favicon.js';
import { FindingPage } from './finding-page.js';
import { useShortText } from './names.js';
import { useRoute } from './navigation.js';
import { NodeMatrixView } from './node-matrix.js';
import { NodePage } from './node-page.js';
import { NodesPage } from './nodes-page.js';
import { Overview } from './overview.js';
import { PageHeader } from './page-header.js';
import { TargetPage } from './target-page.js';
import { TargetsPage } from './targets-page.js';
import { TokenForm } from './token-form.js';
import { VerdictAnnouncer } from './verdict.js';

export function App() {
  const route = useRoute();
  const phase = useAgentState((state) => state.phase);
  const summary = useAgentState((state) => state.summary);
  const main = useRef<HTMLElement>(null);
  const short = useShortText();

  useEffect(() => {
    document.title = short(titleOf(route, summary, phase));
  }, [route, summary, phase, short]);

  useEffect(() => {
    showInFavicon(phase === 'live' ? (summary?.verdict ?? 'unknown') : 'unknown');
  }, [summary, phase]);

  // Screen readers continue at the heading of a new view. The first view leaves the focus to the
  // browser.
  const shown = useRef(route);
  useLayoutEffect(() => {
    if (viewKey(shown.current) === viewKey(route)) return;
    shown.current = route;
    main.current?.querySelector<HTMLElement>('h1, h2')?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, [route]);

  return (
    <>
      <PageHeader />
      <AwayBanner />
      <VerdictAnnouncer />
      <main id="main" ref={main} class={phase === 'away' ? 'is-away' : ''} tabIndex={-1}>
        {phase === 'unauthorized' ? <TokenForm /> : <View key={viewKey(route)} route={route} />}
      </main>
    </>
  );
}

function View({ route }: { readonly route: Route }) {
  const summary = useAgentState((state) => state.summary);
  const findings = useAgentState((state) => state.findings);
  const phase = useAgentState((state) => state.phase);
  if (!summary || !findings) {
    return (
      <section class="verdict verdict-unknown">
        <div>
          <h1 tabIndex={-1}>
            {phase === 'away' ? 'The agent does not answer' : 'Asking the agent…'}
          </h1>
        </div>
      </section>
    );
  }
  switch (route.view) {
    case 'overview':
      return <Overview summary={summary} findings={findings} choice={route.matrix} />;
    case 'matrix':
      return <NodeMatrixView choice={route.matrix} isWhole />;
    case 'zones':
      return <NodeMatrixView choice={route.matrix} zones={[route.from, route.to]} />;
    case 'finding':
      return <FindingPage id={route.id} />;
    case 'nodes':
      return <NodesPage route={route} />;
    case 'node':
      return <NodePage name={route.name} />;
    case 'target':
      return <TargetPage route={route} />;
    case 'targets':
      return <TargetsPage route={route} />;
    case 'events':
      return <EventsPage route={route} />;
    case 'none':
      return (
        <section class="page">
          <h1 tabIndex={-1}>There is no such page</h1>
          <p>
            <code>{plainText(route.path)}</code>
          </p>
        </section>
      );
  }
}

/** Two routes with the same key are one view with different choices in it. */
function viewKey(route: Route): string {
  switch (route.view) {
    case 'zones':
      return `zones ${JSON.stringify([route.from, route.to])}`;
    case 'node':
      return `node ${route.name}`;
    case 'target':
      return `target ${route.name}`;
    case 'finding':
      return `finding ${route.id}`;
    case 'overview':
    case 'matrix':
    case 'nodes':
    case 'targets':
    case 'events':
    case 'none':
      return route.view;
  }
}

const withoutVerdict: Readonly<Record<Phase, string>> = {
  connecting: 'Asking the agent',
  live: 'Asking the agent',
  away: 'No answer',
  unauthorized: 'No access',
};

/** The verdict comes first, so that a narrow tab still shows it. */
function titleOf(route: Route, summary: Summary | undefined, phase: Phase): string {
  const known = phase === 'away' || phase === 'unauthorized' ? undefined : summary;
  const parts = [
    known ? headlineOf(known.verdict) : withoutVerdict[phase],
    ...(known && known.findings > 0 ? [count(known.findings, 'finding')] : []),
    ...placeOf(route),
    'meshprobe',
  ];
  return parts.join(' · ');
}

function placeOf(route: Route): string[] {
  switch (route.view) {
    case 'overview':
    case 'none':
      return [];
    case 'node':
    case 'target':
      return [plainText(route.name)];
    case 'zones':
      return [`${plainText(route.from)} → ${plainText(route.to)}`];
    case 'matrix':
    case 'finding':
    case 'nodes':
    case 'targets':
    case 'events':
      return [route.view];
  }
}
