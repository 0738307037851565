import type { Outcome } from '../../model/sample.js';
import { timeout } from '../../model/sample.js';
import type { DnsQuestion } from '../../model/target.js';
import type { TargetAnswer } from '../views.js';
import { askServer, type ServerAnswer } from './ask-server.js';
import { DnsServers } from './dns-servers.js';
import { OpenProbes, type OpenProbe } from './open-probes.js';
import { defaultResolvConf, readResolvConf } from './resolv-conf.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';

/** Between two queries to a server of which alone it is not sure how it is. */
const confirmEveryMs = 200;

/**
 * Asks every server for itself, all at once. One good answer is enough for a reply, whose round trip is
 * that of the fastest. A server that alone changes is asked again at once, until its state is sure:
 * the schedule does that for a target that fails as a whole.
 */
export function createDnsProber(
  question: DnsQuestion,
  { eventLoop, thresholds, resolvConf = defaultResolvConf }: TargetProberOptions,
): TargetProber {
  const open = new OpenProbes(eventLoop);
  const servers = new DnsServers(thresholds);
  const confirmations = new Map<string, () => void>();
  let answer: TargetAnswer = {};
  let isClosed = false;

  function run(probe: OpenProbe, timeoutMs: number): Promise<void> {
    const asked =
      question.servers.length > 0 ? question.servers : readResolvConf(resolvConf).nameservers;
    if (asked.length === 0) throw new Error(`${resolvConf} has no nameserver`);
    servers.set(asked);
    const sentMs = performance.now();
    const answers = new Map<string, ServerAnswer>();
    const finish = (): void => {
      for (const server of asked) {
        servers.note(server, answers.get(server)?.outcome ?? timeout, sentMs);
      }
      const best = fastest([...answers.values()]);
      if (best) answer = answerOf(best);
      probe.end(best?.outcome ?? worst(asked.map((one) => answers.get(one)?.outcome ?? timeout)));
      if (best) for (const server of asked) confirm(server, timeoutMs);
    };
    probe.onDeadline(finish);
    for (const server of asked) {
      const take = (given: ServerAnswer): void => {
        const { outcome } = given;
        const judged = outcome.outcome === 'reply' ? probe.reply(outcome.rttNs) : outcome;
        answers.set(server, { ...given, outcome: judged });
        if (answers.size === asked.length) finish();
      };
      probe.onEnd(askServer(server, question, timeoutMs, take));
    }
    return Promise.resolve();
  }

  /** Asks a server again as long as its state is in doubt and nobody else does. */
  function confirm(server: string, timeoutMs: number): void {
    if (isClosed || confirmations.has(server) || !servers.isInDoubt(server)) return;
    const ask = (): void => {
      const measurement = eventLoop.startMeasurement();
      const sentMs = performance.now();
      const cancel = askServer(server, question, timeoutMs, ({ outcome }) => {
        const isDoubtful = outcome.outcome === 'failure' && measurement.stalledMs() > timeoutMs / 2;
        measurement.end();
        confirmations.delete(server);
        servers.note(server, { ...outcome, ...(isDoubtful && { tainted: true }) }, sentMs);
        if (!isDoubtful && outcome.outcome !== 'not-sent') confirm(server, timeoutMs);
      });
      confirmations.set(server, () => {
        measurement.end();
        cancel();
      });
    };
    const timer = setTimeout(ask, confirmEveryMs).unref();
    confirmations.set(server, () => clearTimeout(timer));
  }

  return {
    unknownBecause: undefined,
    probe: (_, timeoutMs, settle) =>
      open.start(timeoutMs, settle, async (probe) => run(probe, timeoutMs)),
    answer: () => answer,
    servers: () => servers.views(),
    close() {
      isClosed = true;
      open.close();
      for (const cancel of confirmations.values()) cancel();
      confirmations.clear();
    },
  };
}

function fastest(answers: readonly ServerAnswer[]): ServerAnswer | undefined {
  const rttOf = ({ outcome }: ServerAnswer): number =>
    outcome.outcome === 'reply' ? outcome.rttNs : Infinity;
  const [best] = [...answers].sort((a, b) => rttOf(a) - rttOf(b));
  return best?.outcome.outcome === 'reply' ? best : undefined;
}

/** What the servers failed by. What this host could not do counts where nothing else is known. */
function worst(outcomes: readonly Outcome[]): Outcome {
  return outcomes.find(({ outcome }) => outcome === 'failure') ?? outcomes[0] ?? timeout;
}

function answerOf({ addresses, ttlSeconds }: ServerAnswer): TargetAnswer {
  return { addresses, ...(ttlSeconds !== undefined && { ttlSeconds }) };
}
