import type { ComponentChildren } from 'preact';
import { useAgentState } from '../client/context.js';
import { useIsShownPlane } from '../client/use-shown-planes.js';
import { firstMatrix, type MatrixChoice, type Route } from '../model/routes.js';
import { cellStates } from '../../schema/v1/matrix-bytes.js';
import { channelText } from '../../schema/v1/matrix-cells.js';
import type { ZoneMatrix } from '../../schema/v1/matrix.js';
import { severityIn } from '../model/matrix-severity.js';
import { Glyph } from './glyph.js';
import { GroupingChoice } from './grouping-choice.js';
import { Link, useRoute } from './navigation.js';
import { Swatch } from './swatch.js';

const stateWords: Readonly<Record<(typeof cellStates)[number], string>> = {
  'no-report': 'no report',
  unknown: 'not known yet',
  reachable: 'reachable',
  'lossy-or-slow': 'lossy or slow',
  unreachable: 'unreachable',
  excluded: 'not expected to answer',
};

/** The byte of a state in words. */
export function stateWord(state: number): string {
  return stateWords[cellStates[state] ?? 'unknown'];
}

const choices: readonly MatrixChoice[] = [
  firstMatrix,
  { plane: 'host', protocol: 'icmp' },
  { plane: 'host', protocol: 'http' },
  { plane: 'endpoint', protocol: 'icmp' },
  { plane: 'endpoint', protocol: 'http' },
];

/** The choice in words: `host ICMP`, `worst of all`. */
export function choiceWords({ plane, protocol }: MatrixChoice): string {
  if (plane === 'worst') return protocol === 'worst' ? 'worst of all' : protocol.toUpperCase();
  return protocol === 'worst' ? plane : channelText({ plane, protocol });
}

interface MatrixSectionProps {
  readonly title: ComponentChildren;
  readonly choice: MatrixChoice;
  readonly controls?: ComponentChildren;
  /** The channels that nobody reports. */
  readonly unreported?: ZoneMatrix['unreported'];
  /** Whether a matrix is shown, so that its colours need a legend. */
  readonly isShown: boolean;
  /** True if it is a view of its own, so that its title is the heading of the page. */
  readonly isView?: boolean;
  /** What its legend has beside the states, as items of a list. */
  readonly legend?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of every matrix: its title, the choice of the four, and the legend. */
export function MatrixSection({
  title,
  choice,
  controls,
  unreported = [],
  isShown,
  isView = false,
  legend,
  children,
}: MatrixSectionProps) {
  const route = useRoute();
  const Heading = isView ? 'h1' : 'h2';
  const isShownPlane = useIsShownPlane();
  const isOffered = ({ plane }: MatrixChoice): boolean =>
    plane === 'worst' || plane === choice.plane || isShownPlane(plane);
  const missing = unreported.filter(({ plane }) => isShownPlane(plane));
  const findings = useAgentState((state) => state.findings?.findings) ?? [];
  return (
    <section class="matrix-section" aria-labelledby="matrix">
      <div class="section-head">
        <Heading id="matrix" tabIndex={-1}>
          {title} <span class="hint">each row probes each column</span>
        </Heading>
        {route.view === 'overview' && <GroupingChoice choice={choice} />}
        <nav class="tabs" aria-label="Plane and protocol">
          {choices.filter(isOffered).map((channels) => {
            const matrix = { ...choice, ...channels };
            const severity = severityIn(findings, matrix);
            return (
              <Link
                key={`${matrix.plane} ${matrix.protocol}`}
                to={{ ...route, matrix } as Route}
                current={matrix.plane === choice.plane && matrix.protocol === choice.protocol}
              >
                {severity && <Glyph kind={severity} />} {choiceWords(matrix)}
              </Link>
            );
          })}
        </nav>
        {controls}
      </div>
      {missing.length > 0 && (
        <p class="muted">Nobody reports {missing.map(channelText).join(', ')}.</p>
      )}
      {children}
      {isShown && (
        <ul class="legend" aria-label="Legend">
          {cellStates.map((state) => (
            <li key={state}>
              <Swatch state={state} />
              {stateWords[state]}
              {state === 'no-report' && ', or a stale one'}
            </li>
          ))}
          {legend}
        </ul>
      )}
    </section>
  );
}
