import type { PathTestBegin } from '../../api/schema/v1/path-tests.js';
import { escapeText } from './escape.js';

/** `trace to c/n7, host plane, 10.0.0.7, by ICMP` */
export function pathTestTitle({ test, node, plane, address, protocol }: PathTestBegin): string {
  const by = protocol === 'icmp' ? 'ICMP' : 'TCP';
  return `${test} to ${escapeText(node)}, ${plane} plane, ${escapeText(address)}, by ${by}\n`;
}
