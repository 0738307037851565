import type { EvidenceTrace, Finding } from '../../api/schema/v1/findings.js';
import { escapeText } from './escape.js';

/** Where a traced path of a finding ends, in one line. No line where nobody knows, or the trace came through. */
export function traceLines({ evidence }: Pick<Finding, 'evidence'>): string[] {
  const traced = evidence.find(({ trace }) => trace !== undefined);
  if (!traced?.trace || traced.trace.isReached) return [];
  const path = `${escapeText(traced.from)} -> ${escapeText(traced.to)}`;
  return [`  traced ${path}: ${traceText(traced.trace)}`];
}

function traceText({ lastAnswering, sibling, parting }: EvidenceTrace): string {
  const last = `${escapeText(lastAnswering.address)} (hop ${lastAnswering.ttl})`;
  if (!sibling || !parting) return `${last} is the last that answers`;
  const next = escapeText(parting.next.address);
  const working = `the working path to ${escapeText(sibling.to)}`;
  return parting.after.ttl === lastAnswering.ttl
    ? `${last} still answers, the next hop of ${working} is ${next}`
    : `${last} is the last that answers; ${working} leaves it after ${escapeText(parting.after.address)}, to ${next}`;
}
