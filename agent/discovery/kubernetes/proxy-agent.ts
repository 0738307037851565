import type { ClientRequest, Agent, AgentOptions } from 'node:http';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1];

const socksTimeoutMs = 20_000;

/** What a request says to the pool beside the options of Node. */
export interface TunnelOptions {
  /**
   * Ends the connection to the server while it is being opened. Node keeps `signal` from its
   * agents.
   */
  readonly tunnelSignal: AbortSignal;
}

/** A pool of connections that lead through a proxy. */
export function createProxyAgent(proxy: URL, options: AgentOptions): Agent {
  return proxy.protocol.startsWith('socks')
    ? new SocksProxyAgent(proxy, { ...options, timeout: socksTimeoutMs })
    : new HttpTunnels(proxy.href, options);
}

/** The library would wait for ever for a proxy that accepts a connection and never answers. */
class HttpTunnels extends HttpsProxyAgent<string> {
  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const { tunnelSignal: signal } = options as ConnectOptions & Partial<TunnelOptions>;
    const abandoned = new AbortController();
    const abandon = (): void => abandoned.abort();
    signal?.addEventListener('abort', abandon);
    try {
      const once = new HttpsProxyAgent(this.proxy, {
        keepAlive: this.keepAlive,
        signal: abandoned.signal,
      });
      return await once.connect(request, options);
    } finally {
      signal?.removeEventListener('abort', abandon);
    }
  }
}
