import type { ThroughputDirection, ThroughputLine } from '../../../api/schema/v1/throughput.js';
import { shortestMeasuredSeconds } from '../../../api/schema/v1/throughput-limits.js';
import type { Plane } from '../../model/path.js';
import type { Agreement, Way } from './agreement.js';
import { Session, type Measured, type SessionOptions } from './session.js';
import { ThroughputError } from './throughput-error.js';

export interface ThroughputTestOptions {
  readonly node: string;
  /** The planes to measure, with the address of the node on each. */
  readonly addresses: ReadonlyMap<Plane, string>;
  /** The address at which the agent of the node answers. It is asked to take part in no other test. */
  readonly agentAddress: string | undefined;
  readonly agreement: Agreement;
  readonly session: Omit<SessionOptions, 'at' | 'to' | 'test' | 'signal'>;
  readonly port: number;
  /** The own address to connect from on the host plane; undefined: the kernel chooses. */
  readonly localAddress?: string | undefined;
  readonly signal: AbortSignal;
}

/** A test that runs, with a name that nobody else can know. */
interface Running extends ThroughputTestOptions {
  readonly test: string;
}

const ways: readonly Way[] = ['to', 'from'];

/**
 * Measures what gets through to a node and back, one direction after the other, and yields each as it is known. What
 * keeps it from going on is the last line.
 * @throws AbortError if the signal is aborted
 */
export async function* testThroughput(
  options: ThroughputTestOptions,
): AsyncGenerator<ThroughputLine, void, undefined> {
  const { node, addresses, agreement, signal } = options;
  const running = { ...options, test: options.session.createNonce() };
  const planes = [...addresses.keys()];
  const { ms, bytes, streams } = agreement;
  yield { type: 'begin', test: 'throughput', node, planes, seconds: ms / 1000, bytes, streams };
  const sessions: Session[] = [];
  const directions: ThroughputDirection[] = [];
  try {
    const agent = await holdAgent(running);
    if (agent) sessions.push(agent);
    for (const [plane, address] of addresses) {
      const who = plane === 'host' ? 'agent' : 'endpoint';
      const session = plane === 'host' && agent ? agent : await open(running, who, plane, address);
      if (session !== agent) sessions.push(session);
      for (const way of ways) {
        const measured = await named(running, who, () => session.measure(way));
        const direction = { plane, address, direction: way, ...rateOf(measured, agreement) };
        directions.push(direction);
        yield { type: 'direction', ...direction };
      }
    }
    yield { type: 'end', ...ratiosOf(directions) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ThroughputError)) throw error;
    yield { type: 'error', text: error.message };
  } finally {
    for (const session of sessions) session.close();
  }
}

/**
 * The agents of both nodes are held for the whole test, so that no other test meets it. An agent that answers at the
 * endpoint too is asked for a second session of the same test, which it knows by the test's name. Where the endpoint alone is
 * measured and the agent cannot be reached, the test is made without.
 */
async function holdAgent(running: Running): Promise<Session | undefined> {
  const { agentAddress, addresses } = running;
  if (agentAddress === undefined) return undefined;
  try {
    return await open(running, 'agent', 'host', agentAddress);
  } catch (error) {
    const isNeeded = addresses.has('host');
    if (!isNeeded && error instanceof ThroughputError && error.isUnreachable) return undefined;
    throw error;
  }
}

function open(
  running: Running,
  who: 'agent' | 'endpoint',
  plane: Plane,
  ip: string,
): Promise<Session> {
  const { node, test, port, localAddress, agreement, session, signal } = running;
  const at = { ip, port, localAddress: plane === 'host' ? localAddress : undefined };
  const asked = { ...session, at, to: node, test, signal };
  return named(running, who, () => Session.open(asked, agreement));
}

/** Says of whom an error is. */
async function named<T>(
  { node }: Running,
  who: 'agent' | 'endpoint',
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ThroughputError)) throw error;
    const { message, isUnreachable } = error;
    throw new ThroughputError(`the ${who} of ${node} ${message}`, { isUnreachable, cause: error });
  }
}

function rateOf({ counted, sent }: Measured, { bytes: agreed }: Agreement) {
  const { bytes, us } = counted;
  const { retransmissions } = sent;
  return {
    bytes,
    seconds: us / 1e6,
    ...(us < shortestMeasuredSeconds * 1e6 && { isTooShort: true }),
    bitsPerSecond: Math.round((bytes * 8e6) / us),
    endedBy: bytes === agreed ? ('bytes' as const) : ('seconds' as const),
    ...(retransmissions !== undefined && { retransmissions }),
  };
}

function ratiosOf(directions: readonly ThroughputDirection[]) {
  const rate = (plane: Plane, way: Way): number | undefined =>
    directions.find((one) => one.plane === plane && one.direction === way && !one.isTooShort)
      ?.bitsPerSecond;
  const [to, from] = ways.map((way) => {
    const [host, endpoint] = [rate('host', way), rate('endpoint', way)];
    return host === undefined || endpoint === undefined ? undefined : endpoint / host;
  });
  return to === undefined || from === undefined ? {} : { endpointToHost: { to, from } };
}
