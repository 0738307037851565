import { onTestFinished } from 'vitest';
import type { Finding } from '../../../api/schema/v1/findings.js';
import type { RowReceiver } from '../../../agent/model/row-notices.js';
import { parseNotifyFile } from '../../../agent/notices/definition/notify-file.js';
import type { Receiver } from '../../../agent/notices/definition/receiver.js';
import type { Notice } from '../../../agent/notices/notice.js';
import { Notices } from '../../../agent/notices/notices.js';
import type { Delivery } from '../../../agent/notices/sending/post.js';
import { encodeRow } from '../../../agent/peers/row/row-text.js';
import { Problems } from '../../../agent/platform/problems.js';
import { decodeRow, wellRow } from '../../unit/agent/exchange/lib/rows.js';
import { VirtualClock } from '../lib/virtual-clock.js';
import { makeFinding } from '../../rows/make-finding.js';

/** What a receiver took. */
export interface TakenNotice {
  readonly receiver: string;
  readonly notice: Notice;
  readonly by: string;
  readonly atMs: number;
}

/** What becomes of one request, as the receiver decides. */
export interface Reception {
  /** The receiver has it, whether its answer comes or not. */
  readonly isTaken: boolean;
  readonly afterMs: number;
  /** What the sender hears; undefined: nothing, within its deadline. */
  readonly delivery?: Delivery;
}

const taken: Delivery = { isTaken: true, answer: '200' };

/** A receiver that takes a notice at once and says so. */
export const takes: Reception = { isTaken: true, afterMs: 100, delivery: taken };
/** One that answers at once that it does not take it. */
export const refuses = (answer: string): Reception => ({
  isTaken: false,
  afterMs: 100,
  delivery: { isTaken: false, answer },
});

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

const exchangeMs = 5000;
const stepMs = 50;
const deadline: Delivery = { isTaken: false, answer: 'no answer within 10 s' };

/** One agent of the world: real `Notices`, of which it has new ones after a restart. */
export class NoticeAgent {
  readonly name: string;
  problems = new Problems();
  readonly open = new Map<string, Finding>();
  isReady = true;
  notices: Notices | undefined;
  /** Where it begins in the round of its exchanges. */
  phaseMs = 0;
  /** What its row told last, and what readers made of it. */
  sent: { readonly key: string; readonly read: readonly RowReceiver[] } | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isAlive(): boolean {
    return this.notices !== undefined;
  }
}

/** Agents, what they hear of each other in rows, and receivers, on a clock that jumps. */
export class NoticeWorld {
  readonly clock = new VirtualClock();
  readonly agents: NoticeAgent[];
  readonly taken: TakenNotice[] = [];
  /** What Alertmanagers were told again. */
  readonly renewed: Notice[] = [];
  /** Whether an agent has a way to an Alertmanager that is told again. */
  canRenew: (agent: NoticeAgent) => boolean = () => true;
  /** All requests that were begun. */
  readonly tried: TakenNotice[] = [];
  receivers: readonly Receiver[];
  receive: (notice: Notice, receiver: Receiver, agent: NoticeAgent) => Reception = () => takes;
  hears: (a: NoticeAgent, b: NoticeAgent) => boolean = () => true;
  /** The zones of nodes. */
  zoneOf: (node: string) => string = () => 'a';
  /** Whether a finding that is gone is told by another one, which stands for many. */
  isStillPart: (finding: Finding) => boolean = () => false;
  readonly #heardMs = new Map<string, number>();

  constructor(size: number, receivers: readonly object[] = [{}]) {
    this.receivers = readReceivers(receivers);
    this.agents = Array.from({ length: size }, (_, at) => new NoticeAgent(`c/n${at + 1}`));
    this.agents.forEach((agent, at) => {
      agent.phaseMs = Math.round((at * exchangeMs) / size);
      this.start(agent);
      this.#exchange(agent);
    });
  }

  agent(number: number): NoticeAgent {
    const found = this.agents[number - 1];
    if (!found) throw new RangeError(`no agent ${number}`);
    return found;
  }

  /** Starts an agent that knows nothing. */
  start(agent: NoticeAgent): void {
    agent.problems = new Problems();
    const notices: Notices = new Notices({
      cluster: 'c',
      clock: this.clock,
      logger: { info: () => undefined, warn: () => undefined },
      problems: agent.problems,
      situation: () => this.#situationOf(agent),
      receivers: () => Promise.resolve(this.receivers),
      verdict: () => Promise.resolve('broken'),
      send: (notice, receiver) => this.#send(agent, notices, notice, receiver),
      renew: (open) => {
        if (!this.canRenew(agent)) return Promise.resolve(deadline);
        this.renewed.push(...open);
        return Promise.resolve(taken);
      },
      askForRowOf: (peer) => {
        const other = this.agents.find(({ name }) => name === peer);
        if (other) this.clock.after(20, () => this.#carry(other, agent));
      },
      onRowChange: () => undefined,
    });
    agent.notices = notices;
  }

  /** As SIGKILL: what it was sending may have arrived. */
  kill(agent: NoticeAgent): void {
    agent.notices?.stop();
    agent.notices = undefined;
  }

  /** A finding that began now, as all agents see it after some milliseconds each. */
  find(id: string, more: Partial<Finding> = {}, skewMs: () => number = () => 0): Finding {
    const finding: Finding = {
      ...makeFinding({ since: this.now(), text: `${id} is down`, next: ['kubectl get nodes'] }),
      ...{ id, node: id.replace(/^.*:/, ''), ...more },
    };
    for (const agent of this.agents) {
      const local = { ...finding, ...(finding.node === agent.name && { local: true }) };
      this.clock.after(3000 + skewMs(), () => agent.open.set(id, local));
    }
    return finding;
  }

  close(id: string, skewMs: () => number = () => 0): void {
    for (const agent of this.agents) this.clock.after(3000 + skewMs(), () => agent.open.delete(id));
  }

  /** A finding that is open changes, at all agents at once. */
  change(id: string, more: Partial<Finding>): void {
    for (const { open } of this.agents) {
      const finding = open.get(id);
      if (finding) open.set(id, { ...finding, ...more });
    }
  }

  now(): string {
    return new Date(this.clock.wallMs()).toISOString();
  }

  /** Runs for so long. Promises settle between the steps. */
  async run(ms: number): Promise<void> {
    const endMs = this.clock.nowMs() + ms;
    while (this.clock.nowMs() < endMs) {
      this.clock.runUntil(Math.min(this.clock.nowMs() + stepMs, endMs));
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    }
  }

  end(): void {
    for (const agent of this.agents) this.kill(agent);
  }

  /** What was taken, in short. */
  told(): string[] {
    return this.taken.map(({ receiver, notice: { event, finding, storm } }) =>
      [receiver, event, storm ? `${storm.findings}/${storm.open}` : finding?.id].join(' '),
    );
  }

  #send(
    agent: NoticeAgent,
    notices: Notices,
    notice: Notice,
    receiver: Receiver,
  ): Promise<Delivery> {
    const one = { receiver: receiver.name, notice, by: agent.name, atMs: this.clock.nowMs() };
    this.tried.push(one);
    const { isTaken, afterMs, delivery } = this.receive(notice, receiver, agent);
    if (isTaken) this.taken.push(one);
    return new Promise((resolve) => {
      this.clock.after(delivery ? afterMs : 10_000, () => {
        if (agent.notices === notices) resolve(delivery ?? deadline);
      });
    });
  }

  #situationOf(agent: NoticeAgent) {
    const nowMs = this.clock.nowMs();
    const open = [...agent.open.values()];
    return {
      nowMs,
      wallMs: this.clock.wallMs(),
      localName: agent.name,
      isReady: agent.isReady,
      others: this.agents
        .filter((other) => other !== agent)
        .map((other) => ({
          name: other.name,
          heardMsAgo: nowMs - (this.#heardMs.get(`${agent.name} ${other.name}`) ?? -Infinity),
          isReady: other.isReady,
        })),
      freshForMs: 2 * exchangeMs + 1000,
      open: open.map((finding) => ({ finding, zones: [this.zoneOf(finding.node ?? '')] })),
      isStillPart: this.isStillPart,
      away: new Set(open.flatMap(({ node }) => node ?? [])),
    };
  }

  /** An agent asks each other one once in five seconds. */
  #exchange(agent: NoticeAgent): void {
    this.agents.forEach((other, at) => {
      if (other === agent) return;
      const delayMs = (agent.phaseMs + (at * exchangeMs) / this.agents.length) % exchangeMs;
      const ask = (): void => {
        this.#carry(other, agent);
        this.clock.after(exchangeMs, ask);
      };
      this.clock.after(delayMs, ask);
    });
  }

  /** A GET of one agent, and the row of the other in its answer, by the codec of rows. */
  #carry(from: NoticeAgent, to: NoticeAgent): void {
    if (!from.notices || !to.notices || !this.hears(from, to)) return;
    const nowMs = this.clock.nowMs();
    this.#heardMs.set(`${to.name} ${from.name}`, nowMs);
    this.#heardMs.set(`${from.name} ${to.name}`, nowMs);
    to.notices.hear(from.name, throughRow(from), 0);
  }
}

/** Agents that have heard each other. They end with the test. */
export async function settledWorld(
  size: number,
  receivers?: readonly object[],
): Promise<NoticeWorld> {
  const world = new NoticeWorld(size, receivers);
  onTestFinished(() => world.end());
  await world.run(30_000);
  return world;
}

/** The receivers `r1`, `r2` ..., with what is given of each. */
export function readReceivers(receivers: readonly object[]): readonly Receiver[] {
  const all = receivers.map((more, at) => ({
    ...{ name: `r${at + 1}`, type: 'webhook', url: 'http://127.0.0.1:1/' },
    ...more,
  }));
  return parseNotifyFile(JSON.stringify({ receivers: all }));
}

/** Of thousands of exchanges a second most carry the same row. */
function throughRow(agent: NoticeAgent): readonly RowReceiver[] {
  const notices = agent.notices?.row() ?? [];
  if (notices.length === 0) return [];
  const key = JSON.stringify(notices);
  if (agent.sent?.key !== key) {
    const text = encodeRow({ ...wellRow(), notices });
    agent.sent = { key, read: decodeRow('c/a', JSON.parse(text))?.notices ?? [] };
  }
  return agent.sent.read;
}
