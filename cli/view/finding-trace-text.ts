import type { EvidenceTrace, Finding } from '../../api/schema/v1/findings.js';
import { escapeText } from './escape.js';

/** Where a traced path of a finding ends, in one line. No line where nobody knows, or the trace came through. */
export function traceLines({ evidence }: Pick<Finding, 'evidence'>): string[] {
  const traced = evidence.find(({ trace }) => trace !== undefined);
  if (!traced?.trace || traced.trace.isReached) return [];
  const path = `${escapeText(traced.from)} -> ${escapeText(traced.to)}`;
  const { port } = traced.trace;
  const flow = port === undefined ? '' : `, source port ${port}`;
  return [`  traced ${path}${flow}: ${traceText(traced.trace)}`];
}

function traceText({ lastAnswering, port, sibling, parting }: EvidenceTrace): string {
  const last = `${escapeText(lastAnswering.address)} (hop ${lastAnswering.ttl})`;
  if (!sibling || !parting) return `${last} is the last that answers`;
  const { after, next } = parting;
  const address = escapeText(next.address);
  const working =
    port === undefined ? `the working path to ${escapeText(sibling.to)}` : 'a flow that passes';
  if (after.ttl !== lastAnswering.ttl)
    return `${last} is the last that answers; ${working} leaves it after ${escapeText(after.address)}, to ${address}`;
  // Hops between the two answer nothing on any path.
  const answering = next.ttl === after.ttl + 1 ? '' : ' that answers';
  const hop = answering === '' ? '' : ` (hop ${next.ttl})`;
  return `${last} still answers, the next hop${answering} of ${working} is ${address}${hop}`;
}
