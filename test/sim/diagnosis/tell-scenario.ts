import { judgedFindings, type Judgement } from './judge.js';
import type { Scenario } from './scenarios/scenario.js';

const mostTold = 4;

/** One line that says what a scenario has, what was found, and what is wrong with it. */
export function tellScenario(
  scenario: Scenario,
  { missed, extra }: Judgement,
  why: string,
): string {
  const { seed, made, visible, conditions, layout } = scenario;
  const described = made.map((fault) => {
    const some = fault.nodes.slice(0, 2).map((node) => layout.names[node]);
    const seen = visible.includes(fault) || fault.isExpected === false ? '' : ', not visible';
    return `${fault.what} (${some.join(', ')}${seen})`;
  });
  const reasons = [
    why,
    missed.length > 0 ? `missed: ${someOf(missed.map(({ what }) => what))}` : '',
    extra.length > 0 ? `extra: ${someOf(extra.map(({ kind, id }) => `${kind} ${id}`))}` : '',
  ].filter((reason) => reason !== '');
  const findings = judgedFindings(scenario).map(
    ({ kind, id, count, explains }) =>
      `${kind} ${id}${count === undefined ? '' : ` x ${count}`} ${explains}`,
  );
  const wrong = `${(100 * conditions.wrongShare).toFixed(2)} % wrong`;
  return (
    `seed ${seed}, ${layout.names.length} nodes, ${wrong}, ${reasons.join(', ')}: ` +
    `${someOf(described, ' + ') || 'no fault'} -> ${someOf(findings, '; ') || 'nothing'}`
  );
}

function someOf(texts: readonly string[], separator = ', '): string {
  const more = texts.length - mostTold;
  const some = texts.slice(0, mostTold).join(separator);
  return more > 0 ? `${some}${separator}${more} more` : some;
}
