import { Resolver, type RecordWithTtl } from 'node:dns';
import type { DnsQuestion } from '../../model/target.js';
import type { Outcome } from '../../model/sample.js';
import { serverAddressOf } from '../../model/host-and-port.js';
import { faultOfQuery } from './dns-fault.js';
import { elapsedNs } from './open-probes.js';

/** What a server said. */
export interface ServerAnswer {
  readonly outcome: Outcome;
  readonly addresses: readonly string[];
  readonly ttlSeconds: number | undefined;
}

export type Question = Pick<DnsQuestion, 'query' | 'type' | 'expect'>;

/**
 * Asks one server once. Each query has a resolver of its own, and so a port of its own: a balancer in
 * front of several servers, which remembers ports, may choose anew, as it does for each client.
 * @param settle is called once, unless the query was cancelled
 * @returns how to cancel it
 */
export function askServer(
  server: string,
  { query, type, expect }: Question,
  timeoutMs: number,
  settle: (answer: ServerAnswer) => void,
): () => void {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  const address = serverAddressOf(server);
  resolver.setServers([server]);
  let isOpen = true;
  const end = (outcome: Outcome, records: readonly RecordWithTtl[] = []): void => {
    if (!isOpen) return;
    isOpen = false;
    const ttlSeconds =
      records.length === 0 ? undefined : Math.min(...records.map(({ ttl }) => ttl));
    settle({ outcome, addresses: records.map((record) => record.address).sort(), ttlSeconds });
  };
  const startedNs = process.hrtime.bigint();
  const take = (error: NodeJS.ErrnoException | null, records: readonly RecordWithTtl[]): void => {
    const rttNs = elapsedNs(startedNs);
    if (error) {
      void faultOfQuery(error.code, address).then((fault) => end(fault));
      return;
    }
    const wrong = wrongAnswer(records, expect);
    end(wrong ?? { outcome: 'reply', rttNs }, records);
  };
  if (type === 'A') resolver.resolve4(query, { ttl: true }, take);
  else resolver.resolve6(query, { ttl: true }, take);
  return () => {
    isOpen = false;
    resolver.cancel();
  };
}

function wrongAnswer(
  records: readonly RecordWithTtl[],
  expect: readonly string[],
): Outcome | undefined {
  if (expect.length === 0) return undefined;
  const got = new Set(records.map(({ address }) => address));
  const isRight = got.size === expect.length && expect.every((address) => got.has(address));
  if (isRight) return undefined;
  return { outcome: 'failure', kind: 'wrong-answer', detail: 'other addresses than expected' };
}
