import { randomBytes } from 'node:crypto';
import { endpointHeader } from '../../model/hello-headers.js';
import type { EndpointHost } from '../../model/endpoint-host.js';
import { isSameNode } from '../../model/node-name.js';
import type { Signer } from '../../model/signed-fields.js';
import type { PathState } from '../../model/path-state.js';
import { maxTargets, rowAges, type RowTarget, type Target } from '../../model/target.js';
import type { Clock } from '../../platform/clock.js';
import { momentOf, unknownView, type Moment, type OtherPlane } from '../agent-targets.js';
import type { ServerTransition, TargetTransition } from '../target-results.js';
import {
  changedServers,
  failingServers,
  isServerSuspected,
  type TargetPlaneView,
} from '../views.js';
import {
  decodeEndpointAnswer,
  encodeEndpointRequest,
  type EndpointRequest,
} from './endpoint-message.js';
import { EndpointAsks, hurriedEveryMs } from './endpoint-asks.js';
import { decodeEndpointHost } from './endpoint-host.js';
import { decodeEndpointResults, type EndpointTarget } from './decode-endpoint-results.js';

export interface EndpointPlaneOptions {
  /** The agent's own node. */
  readonly localName: string;
  readonly clock: Clock;
  readonly keys: Signer;
  /** How many nodes are listed. */
  readonly nodes: () => number;
  /** Sends the next GET to the own endpoint now. Returns why there is none to ask; undefined if it was sent. */
  readonly askNow: () => string | undefined;
  /** Whether the endpoint is asked for the signs of its network; left out, it is not. */
  readonly wantsSigns?: boolean;
  /** Sixteen characters of base64url that no one can guess. */
  readonly createNonce?: () => string;
}

/** What a GET to the own endpoint carries. */
export interface EndpointAsk {
  readonly name: string;
  readonly header: string;
  readonly localAddress: undefined;
  onAnswer(header: string | undefined, body: string): void;
}

/** The endpoint saw a target fail once: after this time it is to be seen again whether it is still suspected. */
const suspectedMs = 2 * hurriedEveryMs;

const noResults = 'the endpoint of this node answers something else than results';

/** Results of this age say nothing any more. */
const keptForMs = 10_000;

/** Two answers mean the same moment if it differs by less than this. */
const sameSinceMs = 1000;

/** What the endpoint tells of a target, and the last state that was known. An endpoint that begins anew knows nothing. */
type KnownTarget = EndpointTarget & { readonly known: PathState };

/** What the endpoint of the agent's own node says of the targets, as it sees them from the pod network. */
export class EndpointPlane implements OtherPlane {
  readonly #options: Required<EndpointPlaneOptions>;
  readonly #listeners = new Set<(transition: TargetTransition) => void>();
  readonly #serverListeners = new Set<(transition: ServerTransition) => void>();
  readonly #began: Moment;
  #results = new Map<string, KnownTarget>();
  /** When the endpoint last told of a target, by `toldKey`. The oldest are dropped: it may tell other names each time. */
  readonly #heard = new Map<string, Moment>();
  /** When results came last; before that, when it began to ask. */
  #received: Moment;
  #hasReceived = false;
  /** Whether the last answer had a target that could not be read. */
  #isAnyMalformed = false;
  #host: EndpointHost | undefined;
  #because = 'the endpoint of this node was not asked yet';
  readonly #asks: EndpointAsks;

  constructor(options: EndpointPlaneOptions) {
    this.#options = {
      createNonce: () => randomBytes(12).toString('base64url'),
      wantsSigns: false,
      ...options,
    };
    this.#asks = new EndpointAsks({
      ...options,
      onNoneToAsk: (because) => {
        this.#because = because;
      },
    });
    this.#began = momentOf(options.clock);
    this.#received = this.#began;
  }

  /** Begins to ask. It goes on until `stop`. */
  start(): void {
    this.#asks.start();
  }

  /** Asks the endpoint to probe a target now, and for what it sees until that is known. */
  probeNow(target: string): void {
    this.#asks.probeNow(target);
  }

  stop(): void {
    this.#asks.stop();
  }

  /** Calls the listener with each target whose state has changed. */
  onTransition(listener: (transition: TargetTransition) => void): void {
    this.#listeners.add(listener);
  }

  /** Calls the listener with each DNS server that begins to fail or answers again, beside others that answer. */
  onServer(listener: (transition: ServerTransition) => void): void {
    this.#serverListeners.add(listener);
  }

  /** What a GET to the own endpoint carries; undefined before the nodes are known, and right after another. */
  ask(): EndpointAsk | undefined {
    const { localName: node, clock, keys, nodes, wantsSigns, createNonce } = this.#options;
    const count = nodes();
    if (count < 1 || !this.#asks.isDue()) return undefined;
    const request: EndpointRequest = {
      node,
      nodes: count,
      toProbe: this.#asks.begin(),
      signs: wantsSigns,
      sentAt: Math.floor(clock.wallMs()),
      nonce: createNonce(),
    };
    this.#because = 'the endpoint of this node did not answer';
    return {
      name: endpointHeader,
      header: encodeEndpointRequest(request, keys),
      localAddress: undefined,
      onAnswer: (header, body) => this.#onAnswer(request, header, body),
    };
  }

  /** What the endpoint told last of its network, with the ages of now; undefined where it lately told nothing of it. */
  host(): EndpointHost | undefined {
    const ageMs = this.#options.clock.nowMs() - this.#received.ms;
    if (!this.#hasReceived || ageMs > keptForMs || !this.#host) return undefined;
    const signs = this.#host.signs.map((sign) => ({
      ...sign,
      ageSeconds: sign.ageSeconds + Math.round(ageMs / 1000),
    }));
    return { ...this.#host, signs };
  }

  view(target: Target): TargetPlaneView {
    const found = this.#find(target);
    if (typeof found !== 'string') return found.view;
    return unknownView('endpoint', found, this.#heard.get(targetKey(target)) ?? this.#began);
  }

  row(target: Target): RowTarget | undefined {
    const found = this.#find(target);
    if (typeof found === 'string') return undefined;
    const nowMs = this.#options.clock.nowMs();
    return {
      ...found.row,
      ...rowAges(nowMs - found.sinceMs, nowMs - found.lookedMs),
    };
  }

  #find({ name, digest }: Target): EndpointTarget | string {
    const ageMs = this.#options.clock.nowMs() - this.#received.ms;
    if (!this.#hasReceived || ageMs > keptForMs) return this.#because;
    const found = this.#results.get(name);
    if (!found)
      return this.#isAnyMalformed ? noResults : 'the endpoint of this node does not probe it';
    if (found.digest !== digest)
      return 'the endpoint of this node probes something else of that name';
    return found;
  }

  #onAnswer(request: EndpointRequest, header: string | undefined, body: string): void {
    const { clock, keys, localName } = this.#options;
    if (header === undefined) {
      this.#because =
        'the endpoint of this node gives no results to this agent; where the agent itself answers there, targets take from: host';
      return;
    }
    const answer = decodeEndpointAnswer(header, body, request, keys);
    if (answer === 'unauthenticated') {
      this.#because = 'the endpoint of this node has another mesh key';
      return;
    }
    if (
      answer !== 'malformed' &&
      answer.node !== undefined &&
      !isSameNode(answer.node, localName)
    ) {
      this.#because = "at the address of this node's endpoint that of another node answers";
      return;
    }
    const results = answer === 'malformed' ? undefined : decodeEndpointResults(body, clock);
    if (!results) {
      this.#because = noResults;
      return;
    }
    this.#host = decodeEndpointHost(body);
    this.#isAnyMalformed = results.isAnyMalformed;
    this.#take(results.targets);
  }

  #take(results: readonly EndpointTarget[]): void {
    const before = this.#results;
    this.#results = new Map();
    this.#received = momentOf(this.#options.clock);
    this.#hasReceived = true;
    if (results.some(({ view }) => isSuspected(view))) this.#asks.hurry(suspectedMs);
    for (const result of results) {
      const { name, digest } = result;
      const last = before.get(name);
      const isSame = last?.digest === digest;
      const view = isSame ? sinceBefore(result.view, last.view) : result.view;
      const known = isSame && view.state.state === 'unknown' ? last.known : view.state;
      this.#results.set(name, { ...result, view, known });
      this.#noteHeard(result);
      if (!isSame) continue;
      if (known.state === last.known.state) {
        this.#noteServers(last, view);
        continue;
      }
      const transition: TargetTransition = {
        target: name,
        digest,
        plane: 'endpoint',
        before: last.known,
        after: known,
      };
      for (const listener of this.#listeners) listener(transition);
    }
  }

  #noteHeard(result: EndpointTarget): void {
    const key = targetKey(result);
    this.#heard.delete(key);
    this.#heard.set(key, this.#received);
    const [oldest] = this.#heard.keys();
    if (oldest !== undefined && this.#heard.size > 2 * maxTargets) this.#heard.delete(oldest);
  }

  #noteServers(
    { name, digest, view: before }: EndpointTarget,
    { state, servers }: TargetPlaneView,
  ): void {
    if (state.state !== 'reachable') return;
    for (const change of changedServers(failingServers(before.servers), failingServers(servers))) {
      for (const listener of this.#serverListeners)
        listener({ target: name, digest, plane: 'endpoint', ...change });
    }
  }
}

function targetKey({ name, digest }: Pick<Target, 'name' | 'digest'>): string {
  return `${digest} ${name}`;
}

/**
 * An endpoint tells for how long a target has been in its state. Since when that is stays as it was first understood,
 * however the answers are delayed and the wall clock is set.
 */
function sinceBefore(view: TargetPlaneView, before: TargetPlaneView): TargetPlaneView {
  const { state, sinceAt, sinceMs } = before.state;
  const isSame = view.state.state === state && Math.abs(view.state.sinceMs - sinceMs) < sameSinceMs;
  return isSame ? { ...view, state: { ...view.state, sinceAt, sinceMs } } : view;
}

/** Whether a target or one of its servers failed, and the next probes decide if that is a failure. */
function isSuspected({ state: { state, failures }, servers }: TargetPlaneView): boolean {
  return (state !== 'unreachable' && failures > 0) || servers.some(isServerSuspected);
}
