import type { StreamEvent } from '../../api/schema/v1/events.js';
import type { Colour, Paint } from './colour.js';
import { escapeText } from './escape.js';
import { changeLine } from './sign-text.js';

/** One event as one line. */
export function renderEvent(event: StreamEvent, paint: Paint): string {
  switch (event.type) {
    case 'gap':
      return `${paint('yellow', '-- older events are no longer kept --')}\n`;
    case 'cut':
      return `${paint('yellow', `-- cut after event ${event.lastId} --`)}\n`;
    case 'path':
    case 'finding':
    case 'node':
    case 'list':
    case 'target':
    case 'hops':
    case 'change': {
      const { colour, words } = wordsOf(event);
      return `${escapeText(event.at)}  ${event.id}  ${event.type.padEnd(7)}  ${paint(colour, words)}\n`;
    }
  }
}

type Change = Exclude<StreamEvent, { type: 'gap' | 'cut' }>;

function wordsOf(event: Change): { readonly colour: Colour; readonly words: string } {
  switch (event.type) {
    case 'path': {
      const { node, plane, protocol, address, previousState, state, failure } = event;
      const why = failure === undefined ? '' : ` (${escapeText(failure)})`;
      const path = `${escapeText(node)} ${plane} ${escapeText(address)} ${protocol.toUpperCase()}`;
      return { colour: stateColours[state], words: `${path}: ${previousState} -> ${state}${why}` };
    }
    case 'finding': {
      const { change, severity, text, reason } = event;
      const open = severity === 'broken' ? 'red' : 'yellow';
      // With a reason it closed without being mended.
      const why = reason === undefined ? '' : ` (${escapeText(reason)})`;
      const closed = reason === undefined ? 'green' : 'yellow';
      const words = `${change}${why}: ${escapeText(text)}`;
      return { colour: change === 'closed' ? closed : open, words };
    }
    case 'node': {
      const { node, change, lifecycle, known } = event;
      const reason = lifecycle?.reason === undefined ? '' : `: ${escapeText(lifecycle.reason)}`;
      const phase = lifecycle === undefined ? '' : ` (${lifecycle.phase}${reason})`;
      const says = known === undefined ? '' : `, ${escapeText(known)}`;
      return { colour: 'bold', words: `${escapeText(node)} ${change}${phase}${says}` };
    }
    case 'list': {
      const { nodes, added, removed } = event;
      const words = `node list: ${nodes} nodes, ${added} added, ${removed} removed`;
      return { colour: 'bold', words };
    }
    case 'target': {
      const { target, plane, previousState, state, failure } = event;
      const why = failure === undefined ? '' : ` (${escapeText(failure)})`;
      const words = `${escapeText(target)} ${plane}: ${previousState} -> ${state}${why}`;
      return { colour: stateColours[state], words };
    }
    case 'hops': {
      const { node, plane, address, previousHops, hops } = event;
      const path = `${escapeText(node)} ${plane} ${escapeText(address)}`;
      return { colour: 'bold', words: `${path}: replies take ${previousHops} -> ${hops} hops` };
    }
    case 'change': {
      const { node, text, foundAt, withinSeconds } = event;
      const plain: Paint = (_, words) => words;
      const change = changeLine({ text, at: foundAt, withinSeconds }, plain);
      return { colour: 'bold', words: `${escapeText(node)}: ${change}` };
    }
  }
}

const stateColours = { reachable: 'green', unreachable: 'red', unknown: 'yellow' } as const;
