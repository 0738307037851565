import type { ComponentChildren } from 'preact';
import { useAgentState } from '../client/context.js';
import type { MatrixChoice, Route } from '../model/routes.js';
import { cellStates } from '../../schema/v1/matrix-bytes.js';
import { severityIn } from '../model/worst-matrix.js';
import { Glyph } from './glyph.js';
import { Link, useRoute } from './navigation.js';

const stateWords: Readonly<Record<(typeof cellStates)[number], string>> = {
  'no-report': 'no report',
  unknown: 'not known yet',
  reachable: 'reachable',
  degraded: 'degraded',
  unreachable: 'unreachable',
  excluded: 'not expected to answer',
};

/** The byte of a state in words. */
export function stateWord(state: number): string {
  return stateWords[cellStates[state] ?? 'unknown'];
}

const choices: readonly MatrixChoice[] = [
  { plane: 'host', protocol: 'icmp' },
  { plane: 'host', protocol: 'http' },
  { plane: 'endpoint', protocol: 'icmp' },
  { plane: 'endpoint', protocol: 'http' },
];

interface MatrixSectionProps {
  readonly title: ComponentChildren;
  readonly choice: MatrixChoice;
  readonly controls?: ComponentChildren;
  /** Whether a matrix is shown, so that its colours need a legend. */
  readonly isShown: boolean;
  readonly children: ComponentChildren;
}

/** The frame of every matrix: its title, the choice of the four, and the legend. */
export function MatrixSection({ title, choice, controls, isShown, children }: MatrixSectionProps) {
  const route = useRoute();
  const findings = useAgentState((state) => state.findings?.findings) ?? [];
  return (
    <section class="matrix-section" aria-labelledby="matrix">
      <div class="section-head">
        <h2 id="matrix" tabIndex={-1}>
          {title} <span class="hint">each row probes each column</span>
        </h2>
        <nav class="tabs" aria-label="Plane and protocol">
          {choices.map((matrix) => {
            const severity = severityIn(findings, matrix);
            return (
              <Link
                key={`${matrix.plane} ${matrix.protocol}`}
                to={{ ...route, matrix } as Route}
                current={matrix.plane === choice.plane && matrix.protocol === choice.protocol}
              >
                {severity && <Glyph kind={severity} />} {matrix.plane}{' '}
                {matrix.protocol.toUpperCase()}
              </Link>
            );
          })}
        </nav>
        {controls}
      </div>
      {children}
      {isShown && (
        <ul class="legend" aria-label="Legend">
          {cellStates.map((state) => (
            <li key={state}>
              <span class={`swatch swatch-${state}`} aria-hidden="true" />
              {stateWords[state]}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
