import { useEffect, useState } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import type { Phase } from '../client/live-agent.js';
import { headlineOf } from '../model/verdict-words.js';
import { allEvents, allNodes, firstMatrix } from '../model/routes.js';
import { Glyph, glyphOf } from './glyph.js';
import { Link, useNavigation, useRoute } from './navigation.js';

/** The navigation, and a search for a node from every view. */
export function PageHeader() {
  const { view } = useRoute();
  const phase = useAgentState((state) => state.phase);
  return (
    <header class="page-header">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Link class="brand" to={{ view: 'overview', matrix: firstMatrix }}>
        meshprobe
      </Link>
      <nav aria-label="Views">
        <Link to={{ view: 'overview', matrix: firstMatrix }} current={view === 'overview'}>
          Overview
        </Link>
        <Link to={allNodes} current={view === 'nodes' || view === 'node'}>
          Nodes
        </Link>
        <Link to={{ view: 'targets', sort: '' }} current={view === 'targets' || view === 'target'}>
          Targets
        </Link>
        <Link
          to={{ view: 'matrix', matrix: firstMatrix }}
          current={view === 'matrix' || view === 'zones'}
        >
          Matrix
        </Link>
        <Link to={allEvents} current={view === 'events'}>
          Events
        </Link>
      </nav>
      <span class={`phase phase-${phase}`}>{phaseWords[phase]}</span>
      {view !== 'overview' && phase !== 'away' && phase !== 'unauthorized' && <VerdictPill />}
      <Search />
    </header>
  );
}

const phaseWords: Readonly<Record<Phase, string>> = {
  connecting: 'asking',
  live: 'live',
  away: 'no answer',
  unauthorized: 'no access',
};

/** A short verdict for views that do not show the banner. */
function VerdictPill() {
  const summary = useAgentState((state) => state.summary);
  if (!summary) return null;
  return (
    <Link class={`pill pill-${summary.verdict}`} to={{ view: 'overview', matrix: firstMatrix }}>
      <Glyph kind={glyphOf(summary.verdict)} />
      {headlineOf(summary.verdict)}
    </Link>
  );
}

function Search() {
  const navigation = useNavigation();
  const route = useRoute();
  const [text, setText] = useState('');
  useEffect(() => setText(route.view === 'nodes' ? route.name : ''), [route]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        navigation.go({ ...allNodes, name: text.trim() });
      }}
    >
      <input
        type="search"
        aria-label="Search a node by its name"
        placeholder="Find a node"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
