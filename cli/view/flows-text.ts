import type { FlowsLine } from '../../api/schema/v1/path-tests.js';
import { countText } from './age-text.js';
import { pathTestTitle } from './path-test-title.js';

/** Prints one line of a test of flows. */
export function renderFlowsLine(line: FlowsLine): string | undefined {
  switch (line.type) {
    case 'begin':
      return pathTestTitle(line);
    case 'round': {
      const { round, rounds, tried, failing } = line;
      return `  round ${round} of ${rounds}: ${tried - failing.length} of ${tried} flows pass\n`;
    }
    case 'end':
      return endText(line);
    case 'error':
      return undefined;
  }
}

type FlowsEnd = Extract<FlowsLine, { type: 'end' }>;

function endText({ result, tried, failing, ports, sometimes }: FlowsEnd): string {
  switch (result) {
    case 'passing':
      return `All ${tried} flows always pass.\n`;
    case 'failing':
      return `None of ${tried} flows passes.\n`;
    case 'lossy': {
      const always = failing === 0 ? '' : `, ${failing} of them always`;
      return `${failing + sometimes} of ${tried} flows fail${always}: packets are lost whatever their flow.\n`;
    }
    case 'sticky': {
      const others =
        sometimes === 0
          ? 'the others always do'
          : `${countText(sometimes, 'other')} ${sometimes === 1 ? 'fails' : 'fail'} sometimes`;
      return (
        `${failing} of ${tried} flows never pass, ${others}: ${pathsText(failing, tried)}, there or back.\n` +
        `Their source ports: ${ports.join(', ')}\n`
      );
    }
  }
}

/** About how many equal paths there are, of which one is broken: flows are spread evenly over them. */
function pathsText(failing: number, tried: number): string {
  const [least, most] = likelyShares(failing, tried);
  const paths = (share: number): number => Math.max(1, Math.round(1 / share));
  if (paths(most) === paths(least)) return `one of ${paths(most)} equal paths is broken`;
  return `one of about ${paths(failing / tried)} equal paths (${paths(most)} to ${paths(least)}) is broken`;
}

/** Between which shares the true one is, 19 times of 20 (the interval of Wilson). */
function likelyShares(count: number, of: number): [number, number] {
  const z = 1.96;
  const share = count / of;
  const middle = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  return [(middle - half) / scale, (middle + half) / scale];
}
