import { createSecureContext } from 'node:tls';
import { nodeHeader } from '../../model/hello-headers.js';
import { isNodeName } from '../../model/node-name.js';
import type { FailureKind } from '../../model/failure.js';
import { timeout, type Outcome } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import type { HttpRequest } from '../../model/target.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { sendRequest } from '../../platform/http-exchange.js';
import { lacksFamilyOf } from '../../probing/host-families.js';
import type { TargetAnswer } from '../views.js';
import { readCaFile } from '../../platform/ca-file.js';
import { followFile } from '../../platform/followed-file.js';
import { readHeadersFile, type HeaderList } from '../../platform/headers-file.js';
import { elapsedNs, OpenProbes, type OpenProbe } from './open-probes.js';
import { resolveHost } from './resolve-host.js';
import { faultOfTls, secureTarget, TlsError } from './secure-target.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';

/** So much of an answer is read. Nothing needs the rest of a body. */
const limits = { headerBytes: 16 * 1024, bodyBytes: 64 * 1024 } as const;
const unread: Outcome = {
  outcome: 'not-sent',
  reason: 'other',
  detail: 'headersFile or ca: the file could not be read in time',
};
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends the request on a new connection each time, so that whatever balances the target chooses
 * anew. The round trip is from the connection to the end of the answer.
 */
export function createHttpTargetProber(
  request: HttpRequest,
  options: TargetProberOptions,
): TargetProber {
  const open = new OpenProbes(options.eventLoop);
  const url = new URL(request.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHttps = url.protocol === 'https:';
  const port = url.port === '' ? (isHttps ? 443 : 80) : Number(url.port);
  const { headersFile, caFile } = request;
  const headersOf = headersFile && followFile('headersFile', headersFile, readHeadersFile);
  const contextOf =
    caFile && followFile('ca', caFile, (path) => createSecureContext({ ca: readCaFile(path) }));
  let answer: TargetAnswer = {};
  const tell = (more: TargetAnswer): void => void (answer = { ...answer, ...more });

  async function run(probe: OpenProbe): Promise<void> {
    // A file of this host that hangs tells nothing of the target.
    probe.onDeadline(() => probe.end(unread));
    const headers = headersOf ? await headersOf() : [];
    const context = contextOf ? await contextOf() : undefined;
    probe.onDeadline(() => probe.end(timeout));
    const resolved = await resolveHost(host, probe, options);
    if (!probe.isOpen()) return;
    if ('fault' in resolved) {
      probe.end(resolved.fault);
      return;
    }
    const secure = secureTarget({
      name: request.tlsName ?? host.replace(/\.$/, ''),
      context,
      takesAnyCertificate: request.takesAnyCertificate === true,
      onCertificate: (endsAt) => endsAt !== undefined && tell({ certificateEndsAt: endsAt }),
    });
    ask(probe, resolved.ip, isHttps ? secure : undefined, headers);
  }

  function ask(
    probe: OpenProbe,
    ip: string,
    secure: ReturnType<typeof secureTarget> | undefined,
    headers: HeaderList,
  ): void {
    const { method, asksNode = false } = request;
    const startedNs = process.hrtime.bigint();
    let hasHead = false;
    const done = (): void => probe.end(probe.reply(elapsedNs(startedNs)));
    const endRequest = sendRequest(
      {
        ip,
        port,
        secure,
        origin: url.origin,
        method,
        path: url.pathname + url.search,
        headers: [...headers, ...(asksNode ? [nodeHeader, '?'] : [])],
        limits,
      },
      {
        onHead(status, answered) {
          hasHead = true;
          const node = answered[nodeHeader];
          const isNamed = typeof node === 'string' && isNodeName(node);
          const { certificateEndsAt } = answer;
          answer = {
            status,
            ...(isNamed && { answeredBy: node }),
            ...(certificateEndsAt !== undefined && { certificateEndsAt }),
          };
          const wrong = wrongStatus(status, request.expectStatus);
          if (wrong) probe.end(wrong);
        },
        onEnd: done,
        onFault({ kind, detail }) {
          if (kind === 'too-large' && hasHead) done();
          else probe.end(failure(kind, detail));
        },
        onError: (error, wasAtOnce) => probe.end(faultOf(error, wasAtOnce, ip)),
      },
    );
    probe.onEnd(endRequest);
  }

  return {
    unknownBecause: undefined,
    probe: (_, timeoutMs, settle) => open.start(timeoutMs, settle, run),
    answer: () => answer,
    servers: () => [],
    close: () => open.close(),
  };
}

function wrongStatus(status: number, expected: readonly number[]): Outcome | undefined {
  if (expected.length === 0 || expected.includes(status)) return undefined;
  return redirects.has(status)
    ? failure('redirect', `status ${status} sends elsewhere`)
    : failure('status', `unexpected status ${status}`);
}

function faultOf(error: Error, wasAtOnce: boolean, ip: string): Outcome {
  if (error instanceof TlsError) return error.fault;
  const code = codeOf(error);
  if (code?.startsWith('ERR_SSL_') === true) return faultOfTls(error);
  return outcomeOfConnectError(code, messageOf(error), wasAtOnce, () => lacksFamilyOf(ip));
}

function failure(kind: FailureKind, detail: string): Outcome {
  return { outcome: 'failure', kind, detail };
}
