import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
// An inner file, because the whole package takes 5 MB more (`npm run bench -- --only http-strategies`).
import Client from 'undici/lib/dispatcher/client.js';
import errors from 'undici/lib/core/errors.js';
import { nodeHeader } from '../../model/hello-headers.js';
import { isNodeName } from '../../model/node-name.js';
import type { FailureKind } from '../../model/failure.js';
import type { Fault, Outcome } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import type { HttpRequest } from '../../model/target.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import type { TargetAnswer } from '../views.js';
import { readCaFile } from './ca-file.js';
import { connectTarget, type TlsTarget } from './connect-target.js';
import { followFile } from './followed-file.js';
import { readHeadersFile, type HeaderList } from './headers-file.js';
import { elapsedNs, OpenProbes, type OpenProbe } from './open-probes.js';
import { resolveHost } from './resolve-host.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';

const maxHeaderBytes = 16 * 1024;
/** So much of an answer is read. Nothing needs the rest. */
const maxBodyBytes = 64 * 1024;
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
    const headers = headersOf ? await headersOf() : [];
    const context = contextOf ? await contextOf() : undefined;
    const resolved = await resolveHost(host, probe, options);
    if (!probe.isOpen()) return;
    if ('fault' in resolved) {
      probe.end(resolved.fault);
      return;
    }
    const tls: TlsTarget = {
      name: request.tlsName ?? host.replace(/\.$/, ''),
      context,
      takesAnyCertificate: request.takesAnyCertificate === true,
      onCertificate: (endsAt) => endsAt !== undefined && tell({ certificateEndsAt: endsAt }),
    };
    ask(probe, { ip: resolved.ip, port, tls: isHttps ? tls : undefined }, headers);
  }

  function ask(
    probe: OpenProbe,
    target: Parameters<typeof connectTarget>[0],
    headers: HeaderList,
  ): void {
    const startedNs = process.hrtime.bigint();
    let socket: Socket | undefined;
    let fault: Fault | undefined;
    const client = new Client(url.origin, {
      connect: (_, callback) =>
        connectTarget(
          target,
          (held) => (socket = held),
          (connected) => {
            if ('outcome' in connected) {
              fault = connected;
              callback(new Error(connected.detail), null);
            } else callback(null, connected);
          },
        ),
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    probe.onEnd(() => {
      // Destroying the client alone would wait for a connection that is still being made.
      socket?.destroy();
      void client.destroy();
    });
    let bytes = 0;
    const done = (): void => probe.end(probe.reply(elapsedNs(startedNs)));
    const handler: Dispatcher.DispatchHandler = {
      // undici recognises the kind of handler by this method.
      onRequestStart: () => undefined,
      onResponseStart(_, status, answered) {
        if (status < 200) return;
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
      onResponseData(_, chunk) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes) done();
      },
      onResponseEnd: done,
      onResponseError: (_, error) => probe.end(fault ?? faultOf(error)),
    };
    const { method, asksNode = false } = request;
    const sent = [...headers, ...(asksNode ? [nodeHeader, '?'] : [])];
    client.dispatch(
      { path: url.pathname + url.search, method, headers: sent, reset: true },
      handler,
    );
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

function faultOf(error: unknown): Outcome {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failure('too-large', `answer headers larger than ${maxHeaderBytes} bytes`);
  }
  if (code === 'UND_ERR_SOCKET') {
    return failure('reset', 'connection closed by peer before the answer was complete');
  }
  if (error instanceof errors.HTTPParserError) return failure('protocol', 'the answer is not HTTP');
  return outcomeOfConnectError(code, messageOf(error), false, () => false);
}

function failure(kind: FailureKind, detail: string): Outcome {
  return { outcome: 'failure', kind, detail };
}
