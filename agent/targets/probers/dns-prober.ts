import type { Outcome } from '../../model/sample.js';
import { timeout } from '../../model/sample.js';
import type { DnsQuestion } from '../../model/target.js';
import type { TargetAnswer } from '../views.js';
import { askServer, type ServerAnswer } from './ask-server.js';
import { DnsServers } from './dns-servers.js';
import { OpenProbes, type OpenProbe } from './open-probes.js';
import { defaultResolvConf, readResolvConf } from './resolv-conf.js';
import { lateAfterMs, ServerConfirmations } from './server-confirmations.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';

/**
 * Asks every server for itself, all at once. One good answer is enough for a reply, whose round trip is
 * that of the fastest. A server that alone changes is asked again soon, until its state is sure:
 * the schedule does that for a target that fails as a whole.
 */
export function createDnsProber(
  question: DnsQuestion,
  { eventLoop, thresholds, resolvConf = defaultResolvConf }: TargetProberOptions,
): TargetProber {
  const open = new OpenProbes(eventLoop);
  const servers = new DnsServers(thresholds);
  let answer: TargetAnswer = {};
  let askedTimeoutMs = 0;
  const queries = new Set<() => void>();
  let onServers = (): void => undefined;
  const confirmations = new ServerConfirmations({
    servers,
    failures: thresholds.failures,
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs).unref();
      return () => clearTimeout(timer);
    },
    ask(server, settle) {
      const measurement = eventLoop.startMeasurement();
      const sentMs = performance.now();
      const cancel = askServer(server, question, askedTimeoutMs, ({ outcome }) => {
        const isTainted =
          outcome.outcome === 'failure' && measurement.stalledMs() > askedTimeoutMs / 2;
        measurement.end();
        settle({ outcome: { ...outcome, ...(isTainted && { tainted: true }) }, sentMs });
      });
      return () => {
        measurement.end();
        cancel();
      };
    },
    onOutcome: () => onServers(),
  });

  function run(probe: OpenProbe, timeoutMs: number): Promise<void> {
    const asked =
      question.servers.length > 0 ? question.servers : readResolvConf(resolvConf).nameservers;
    if (asked.length === 0) throw new Error(`${resolvConf} has no nameserver`);
    servers.set(asked);
    askedTimeoutMs = timeoutMs;
    const sentMs = performance.now();
    const answers = new Map<string, ServerAnswer>();
    const late = new Set(asked);
    /** Takes what became of some servers. Where another one answers, nobody else asks them again. */
    const note = (some: readonly string[], areOthersWell: boolean): void => {
      for (const server of some) {
        late.delete(server);
        servers.note(server, answers.get(server)?.outcome ?? timeout, sentMs);
      }
      onServers();
      if (areOthersWell) confirm(some.filter((server) => servers.isSuspected(server)));
    };
    const confirm = (some: readonly string[]): void => {
      for (const server of some) confirmations.begin(server, performance.now() - sentMs);
    };
    const finish = (some: readonly string[]): void => {
      const best = fastest([...answers.values()]);
      if (best) answer = answerOf(best);
      note(some, false);
      probe.end(best?.outcome ?? worst(asked.map((one) => answers.get(one)?.outcome ?? timeout)));
      if (best) confirm(some.filter((server) => servers.isSuspected(server)));
    };
    // The target is well, so the schedule is not to wait for the servers that are late.
    const timer = setTimeout(() => {
      if (!fastest([...answers.values()])) return;
      for (const server of late) if (!answers.has(server)) servers.noteOverdue(server);
      finish([...answers.keys()]);
      confirm([...late]);
    }, lateAfterMs).unref();
    probe.onEnd(() => clearTimeout(timer));
    probe.onDeadline(() => finish(asked));
    for (const server of asked) {
      const take = (given: ServerAnswer): void => {
        queries.delete(cancel);
        if (!late.has(server)) return;
        const { outcome } = given;
        const judged = outcome.outcome === 'reply' ? probe.reply(outcome.rttNs) : outcome;
        answers.set(server, { ...given, outcome: judged });
        if (!probe.isOpen()) note([server], true);
        else if (answers.size === asked.length) finish(asked);
      };
      const cancel = askServer(server, question, timeoutMs, take);
      queries.add(cancel);
    }
    return Promise.resolve();
  }

  return {
    unknownBecause: undefined,
    probe: (_, timeoutMs, settle) =>
      open.start(timeoutMs, settle, async (probe) => run(probe, timeoutMs)),
    answer: () => answer,
    servers: () => servers.views(),
    onServers: (listener) => void (onServers = listener),
    close() {
      open.close();
      for (const cancel of queries) cancel();
      confirmations.close();
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
