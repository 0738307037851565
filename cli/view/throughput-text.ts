import type {
  ThroughputDirection,
  ThroughputLine,
  ThroughputTest,
  ThroughputTests,
} from '../../api/schema/v1/throughput.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';

type Ratios = ThroughputTest['endpointToHost'];

/** Prints one line of a throughput test as it comes. */
export function createThroughputView(): (line: ThroughputLine) => string | undefined {
  let node = '';
  return (line) => {
    switch (line.type) {
      case 'begin': {
        node = line.node;
        const { seconds, bytes, streams, planes } = line;
        const most = `${seconds} s and ${sizeText(bytes)}`;
        return `throughput to ${escapeText(node)}, ${planes.join(' and ')} plane, by ${countText(streams, 'stream')}, at most ${most} each way\n`;
      }
      case 'direction':
        return directionText(line, node);
      case 'end':
        return ratioText(line.endpointToHost, node);
      case 'error':
        return undefined;
    }
  };
}

/** Prints the last tests, the newest first. */
export function renderThroughputTests({ tests }: ThroughputTests): string {
  if (tests.length === 0) return 'No throughput test was made since the agent started.\n';
  return tests
    .map((test) => {
      const { at, node, directions, endpointToHost, error } = test;
      const lines = directions.map((direction) => directionText(direction, node)).join('');
      const why = error === undefined ? '' : `  ${escapeText(error)}\n`;
      return `${escapeText(at)}   ${escapeText(node)}\n${lines}${why}${ratioText(endpointToHost, node)}`;
    })
    .join('\n');
}

function directionText(measured: ThroughputDirection, node: string): string {
  const { plane, address, direction, bitsPerSecond, bytes, seconds, retransmissions } = measured;
  const { isTooShort = false } = measured;
  const where = `${plane.padEnd(8)}  ${escapeText(address)}`;
  const way = `${direction.padEnd(4)} ${escapeText(node)}`;
  const again =
    retransmissions === undefined ? '' : `, ${countText(retransmissions, 'segment')} sent again`;
  const took = `${sizeText(bytes)} in ${secondsOf(seconds)} s${again}`;
  const rate = isTooShort ? 'too short' : rateText(bitsPerSecond);
  const hint = isTooShort ? ': give more by --limit or --for' : '';
  return `  ${where}   ${way}   ${rate.padStart(13)}   ${took}${hint}\n`;
}

function ratioText(ratios: Ratios, node: string): string {
  if (!ratios) return '';
  const [to, from] = [ratios.to, ratios.from].map((ratio) => `${(ratio * 100).toFixed(0)} %`);
  const name = escapeText(node);
  return `The pod network lets through ${to} of what the hosts do to ${name}, and ${from} from it.\n`;
}

/** `1.53 Gbit/s` */
function rateText(bitsPerSecond: number): string {
  return scaled(bitsPerSecond, 'bit/s');
}

/** `100 MB` */
function sizeText(bytes: number): string {
  return scaled(bytes, 'B');
}

/** Three digits that mean something, as far as a reader compares rates. */
function scaled(value: number, unit: string): string {
  const prefixes = ['', 'k', 'M', 'G', 'T'];
  let at = 0;
  let rest = value;
  while (rest >= 999.5 && at < prefixes.length - 1) {
    rest /= 1000;
    at++;
  }
  const digits = at === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.max(rest, 1))));
  return `${trimmed(rest.toFixed(digits))} ${prefixes[at] ?? ''}${unit}`;
}

function secondsOf(seconds: number): string {
  return trimmed(seconds.toFixed(seconds < 1 ? 3 : 2));
}

/** `1.50` is `1.5`, and `100.0` is `100`. */
function trimmed(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
