import type { DaemonHealth } from '../schema/daemon-health.js';
import type { History } from '../schema/history.js';
import type { Status } from '../schema/status.js';
import { fillGoZeroValues } from './go-zeros.js';
import { formatAgentAddress } from './address.js';
import { ApiError } from './api-error.js';
import { exchange, explainMissing, parseJson, validated, type ClientOptions } from './exchange.js';
import type {
  ThroughputLine,
  ThroughputRequest,
  ThroughputTests,
} from '../schema/v1/throughput.js';
import type { PathTestLines, PathTestName, PathTestRequest } from '../schema/v1/path-tests.js';
import { readPathTest, type ReceivedLine } from './path-tests.js';
import { readReport } from './report.js';
import { readThroughputTest } from './throughput.js';
import type { NoticeTest } from '../schema/v1/notices.js';
import { createV1Calls, type V1Calls } from './v1-calls.js';
import { isWellFormedStatus } from './well-formed.js';

export interface StatusOptions {
  /** Only what `meshprobe status` prints of each path. An older agent sends everything. */
  readonly isBrief?: boolean;
}

/** The calls to an agent. Each rejects with ApiError if there is no valid answer. */
export interface Client extends V1Calls {
  readonly status: (options?: StatusOptions) => Promise<Status>;
  /** Makes the agent probe every path now, then returns the fresh status. */
  readonly probe: (options?: StatusOptions) => Promise<Status>;
  readonly daemonHealth: () => Promise<DaemonHealth>;
  /** The last probes of a node's paths. */
  readonly history: (node: string) => Promise<History>;
  /** The JSON of a report in chunks, while the agent writes it. It may have hundreds of megabytes. */
  readonly report: () => AsyncGenerator<Uint8Array, void, undefined>;
  /** Makes the agent send a test to each receiver of notices. */
  readonly testNotices: () => Promise<NoticeTest>;
  /** Makes the agent test one path now. Its lines come while it goes on. */
  readonly testPath: <Test extends PathTestName>(
    test: Test,
    request: PathTestRequest,
  ) => AsyncGenerator<ReceivedLine<PathTestLines[Test]>, void, undefined>;
  /** Makes the agent measure what gets through to a node. Its lines come while it goes on. */
  readonly testThroughput: (
    request: ThroughputRequest,
  ) => AsyncGenerator<ReceivedLine<ThroughputLine>, void, undefined>;
  /** The last throughput tests of the agent. */
  readonly throughputTests: () => Promise<ThroughputTests>;
}

/** A typed client of one agent. Each call opens one connection. Each answer is validated. */
export function createClient(options: ClientOptions): Client {
  const where = formatAgentAddress(options.address);
  const call = async (method: string, path: string): Promise<unknown> =>
    parseJson(await exchange(options, method, path, where), where);
  // Loading the schemas takes longer than reading most answers, so they are loaded only if needed.
  const status = async (method: string, path: string): Promise<Status> => {
    const body = await call(method, path);
    if (isWellFormedStatus(body)) return body;
    const { statusSchema } = await import('../schema/status.js');
    return validated(fillGoZeroValues(body), statusSchema, where);
  };
  const statusOf = async (
    method: string,
    path: string,
    { isBrief = false }: StatusOptions = {},
  ): Promise<Status> => {
    if (!isBrief) return status(method, path);
    return status(method, `${path}?brief=true`).catch((error: unknown) => {
      if (!mayRefuseQuery(error)) throw error;
      return status(method, path);
    });
  };
  const healthz = async (): Promise<DaemonHealth> => {
    const body = await call('GET', '/v1beta/healthz');
    const { daemonHealthSchema: healthzSchema } = await import('../schema/daemon-health.js');
    return validated(body, healthzSchema, where);
  };
  const history = async (node: string): Promise<History> => {
    const body = await call('GET', `/v1beta/history?node=${encodeURIComponent(node)}`);
    const { historySchema } = await import('../schema/history.js');
    return validated(body, historySchema, where);
  };
  /** The TCP listener serves only reads. It answers 404 to the other calls, or 405 where their path can be read. */
  const explainReadOnly = (error: unknown): never => {
    const { address } = options;
    const status = error instanceof ApiError ? error.statusCode : undefined;
    if (address.kind !== 'unix' && (status === 404 || status === 405)) {
      throw new ApiError(
        'read-only',
        `${where} is read-only: get (but for problems), report, status --probe, trace, mtu, flows, notify and throughput NODE need the agent's unix socket`,
      );
    }
    throw error;
  };
  return {
    status: (options) => statusOf('GET', '/v1beta/status', options),
    probe: (options) => statusOf('PUT', '/v1beta/status/probe', options).catch(explainReadOnly),
    daemonHealth: () => healthz().catch(explainReadOnly),
    history,
    async *report() {
      try {
        yield* readReport(options);
      } catch (error) {
        explainReadOnly(error);
      }
    },
    testNotices: async () => {
      const body = await call('POST', '/v1/notices/test').catch(explainReadOnly);
      const { noticeTestSchema } = await import('../schema/v1/notices.js');
      return validated(body, noticeTestSchema, where);
    },
    async *testPath(test, request) {
      try {
        yield* readPathTest(options, test, request);
      } catch (error) {
        explainReadOnly(error);
      }
    },
    async *testThroughput(request) {
      try {
        yield* readThroughputTest(options, request);
      } catch (error) {
        explainReadOnly(error);
      }
    },
    async throughputTests() {
      const path = '/v1/throughput';
      const body = await call('GET', path).catch((error: unknown) => {
        throw explainMissing(error, where, path);
      });
      const { throughputTestsSchema } = await import('../schema/v1/throughput.js');
      return validated(body, throughputTestsSchema, where);
    },
    ...createV1Calls(options),
  };
}

/** The API of Cilium, which other agents serve too, has no query here: they may know the path alone. */
function mayRefuseQuery(error: unknown): boolean {
  return error instanceof ApiError && (error.statusCode === 400 || error.statusCode === 404);
}
