import { hintedPerSecond, quorum } from '../../../agent/exchange/hints/hinted-delay.js';
import { broughtForwardPerSecond } from '../../../agent/exchange/hints/news-spreader.js';
import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import { Random } from '../../fuzz/random.js';
import { mostInASecond } from '../lib/most-in-a-second.js';

export interface LightModelOptions {
  readonly seed: number;
  readonly agents: number;
  /** The time between two probes of a path, by protocol. */
  readonly intervalMs: { readonly icmp: number; readonly http: number };
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** The GETs a second of one agent to other agents. */
  readonly exchangesPerSecond: number;
  /**
   * `host`: nothing on the node answers. `agent`: the host answers echoes, but its agent answers no
   * GETs.
   */
  readonly dies: 'host' | 'agent';
}

export interface LightModelResult {
  /**
   * The time at which each agent saw the death, in milliseconds. ICMP does not see the death of an
   * agent.
   */
  readonly detectionMs: { readonly icmp: readonly number[]; readonly http: readonly number[] };
  /** The largest number of probes that hints caused at one address in any second. */
  readonly mostLooksInASecond: number;
}

const stepMs = 5;
/** After this time an unanswered probe is suspect, and the other protocol probes too. */
const suspicionMs = confirmationGapMs;

/**
 * Simulates how all agents see a death, in steps of five milliseconds. It has the same rules as the
 * agent but none of its code. Each agent probes the path when its turn comes or after a hint,
 * confirms the failure, and becomes a witness. Each exchange carries news in both directions, and
 * each agent brings news to three peers a second.
 */
export function runLightModel(options: LightModelOptions): LightModelResult {
  const { agents, intervalMs, timeoutMs, failureThreshold, exchangesPerSecond, dies } = options;
  const random = new Random(options.seed);
  const confirmMs = (failureThreshold - 1) * confirmationGapMs + timeoutMs;
  const hasEchoes = dies === 'host';
  const never = Infinity;
  const create = (): Float64Array => new Float64Array(agents).fill(never);
  // For each agent: its first failed probe by ICMP and by HTTP, when it heard of the death, its
  // planned look and its next push.
  const [icmpMs, httpMs, heardMs, lookMs, pushMs] = [
    create(),
    create(),
    create(),
    create(),
    create(),
  ];
  const spreads = create();
  const witnesses = new Uint8Array(agents);
  const pushes = new Float64Array(agents);
  const looks: number[] = [];
  for (let agent = 0; agent < agents; agent++) {
    httpMs[agent] = random.next() * intervalMs.http;
    if (hasEchoes) icmpMs[agent] = random.next() * intervalMs.icmp;
  }
  const verdictMs = (agent: number): number => {
    const icmp = (icmpMs[agent] ?? never) + confirmMs;
    // The protocol that fails first makes the other one probe.
    return Math.min(icmp, (httpMs[agent] ?? never) + confirmMs);
  };
  const getRate = (agent: number): number => {
    const isDead = hasEchoes && (witnesses[agent] ?? 0) >= quorum;
    return isDead ? hintedPerSecond.getByQuorumNoEcho : hintedPerSecond.get;
  };
  const planLook = (agent: number, nowMs: number): void => {
    const rate = hasEchoes ? hintedPerSecond.echo : getRate(agent);
    const spreadMs = (agents / rate) * 1000;
    if (spreadMs >= (spreads[agent] ?? never)) return;
    spreads[agent] = spreadMs;
    lookMs[agent] = Math.min(lookMs[agent] ?? never, nowMs + random.next() * spreadMs);
  };
  const hear = (agent: number, from: number, nowMs: number): void => {
    if (nowMs < (heardMs[agent] ?? never)) {
      heardMs[agent] = nowMs;
      pushMs[agent] = nowMs + 20;
    }
    if (verdictMs(from) <= nowMs) witnesses[agent] = Math.min((witnesses[agent] ?? 0) + 1, 255);
    planLook(agent, nowMs);
  };
  const meet = (agent: number, nowMs: number): void => {
    const first = hasEchoes ? icmpMs : httpMs;
    if (nowMs < (first[agent] ?? never)) {
      first[agent] = nowMs;
      looks.push(nowMs);
    }
  };
  const exchange = (a: number, b: number, nowMs: number): void => {
    const [aKnows, bKnows] = [(heardMs[a] ?? never) < nowMs, (heardMs[b] ?? never) < nowMs];
    if (aKnows) hear(b, a, nowMs);
    if (bKnows) hear(a, b, nowMs);
  };
  const chance = (exchangesPerSecond * stepMs) / 1000;
  let open = agents;
  for (let nowMs = 0; open > 0 && nowMs < intervalMs.http + 2 * confirmMs; nowMs += stepMs) {
    open = 0;
    for (let agent = 0; agent < agents; agent++) {
      if ((lookMs[agent] ?? never) <= nowMs) meet(agent, nowMs);
      const verdict = verdictMs(agent);
      if (verdict > nowMs) open++;
      else if ((heardMs[agent] ?? never) > nowMs) {
        heardMs[agent] = nowMs;
        pushMs[agent] = nowMs + 20;
      }
      if (random.next() < chance) exchange(agent, random.below(agents), nowMs);
      // An agent tells three peers at once, then three a second while the hint lives.
      for (; (pushMs[agent] ?? never) <= nowMs && (pushes[agent] ?? 0) < 18;) {
        pushes[agent] = (pushes[agent] ?? 0) + 1;
        if ((pushes[agent] ?? 0) >= broughtForwardPerSecond) {
          pushMs[agent] = nowMs + 1000 / broughtForwardPerSecond;
        }
        exchange(agent, random.below(agents), nowMs);
      }
    }
  }
  const [icmp, http]: [number[], number[]] = [[], []];
  for (let agent = 0; agent < agents; agent++) {
    const [byIcmp, byHttp] = [icmpMs[agent] ?? never, httpMs[agent] ?? never];
    if (!hasEchoes) http.push(byHttp + confirmMs);
    else {
      icmp.push(Math.min(byIcmp, byHttp + suspicionMs) + confirmMs);
      http.push(Math.min(byHttp, byIcmp + suspicionMs) + confirmMs);
    }
  }
  return {
    detectionMs: { icmp, http },
    mostLooksInASecond: mostInASecond(looks.sort((a, b) => a - b)),
  };
}
