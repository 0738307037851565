import { planes } from '../../api/schema/v1/channel.js';
import { equalPathsText } from '../../api/schema/v1/equal-paths.js';
import type { FlowsLine } from '../../api/schema/v1/path-tests.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
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
      return flowsEndText(line);
    case 'error':
      return undefined;
  }
}

type FlowsEnd = Pick<
  Extract<FlowsLine, { type: 'end' }>,
  'result' | 'tried' | 'failing' | 'ports' | 'sometimes'
>;

/** What a test of flows came to, in one or two lines. */
export function flowsEndText({ result, tried, failing, ports, sometimes }: FlowsEnd): string {
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
        `${failing} of ${tried} flows never pass, ${others}: ${equalPathsText(failing, tried)}.\n` +
        `Their source ports: ${ports.join(', ')}\n`
      );
    }
  }
}

/** What the agent's own test of flows came to, for each plane where some of them fail. */
export function flowsLines({ addresses, paths }: Pick<NodeEntry, 'addresses' | 'paths'>): string {
  return planes
    .map((plane) => {
      const flows = paths[plane]?.flows;
      if (!flows || flows.result === 'passing') return '';
      const where = `${plane} plane, ${escapeText(addresses[plane][0] ?? '')}`;
      return `Flows (${where}): ${flowsEndText(flows)}`;
    })
    .join('');
}
