import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ApiServer } from './api-server.js';
import type { Fault } from './faults.js';
import { kubeconfigText } from './kubeconfig.js';
import { nodeObject, podObject, type NodeOptions, type PodOptions } from './objects.js';

/** One line of JSON on stdin; each is answered with one line on stdout. */
type Command =
  /** `{"do":"listen","port":6443,"host":"10.0.0.1","kubeconfig":"/tmp/kubeconfig"}` */
  | { do: 'listen'; port?: number; host?: string; kubeconfig?: string }
  /** Adds a node, or changes it; it stays the same node unless it was removed or has another uid. */
  | { do: 'put-node'; name: string; options?: NodeOptions }
  | { do: 'put-nodes'; count: number; ballastBytes?: number }
  | { do: 'remove-node'; name: string }
  | { do: 'put-pod'; name: string; options: PodOptions }
  | { do: 'remove-pod'; name: string; namespace?: string }
  | { do: 'go-away' }
  | { do: 'come-back' }
  | { do: 'fail'; fault: Fault; kind?: 'list' | 'watch' | 'any'; times?: number }
  | { do: 'tokens'; tokens: string[] }
  | { do: 'compact' }
  | { do: 'counts' };

const server = new ApiServer();
server.bookmarkMs = 1000;
// Collections exist before anything is in them, as they do on a real server.
for (const namespace of ['meshprobe', 'default']) server.pods(namespace);
server.collection('/api/v1/nodes');

async function obey(command: Command): Promise<object> {
  switch (command.do) {
    case 'listen':
      await server.start(command.port ?? 0, command.host);
      if (command.kubeconfig) writeFileSync(command.kubeconfig, kubeconfigText(server.url));
      return { url: server.url };
    case 'put-node':
      putNode(command.name, command.options);
      return {};
    case 'put-nodes':
      for (let index = 0; index < command.count; index++) putNumbered(index, command.ballastBytes);
      return {};
    case 'remove-node':
      server.nodes.remove(command.name);
      return {};
    case 'put-pod':
      server
        .pods(command.options.namespace ?? 'meshprobe')
        .put(podObject(command.name, command.options));
      return {};
    case 'remove-pod':
      server.pods(command.namespace ?? 'meshprobe').remove(command.name);
      return {};
    case 'go-away':
      await server.stop();
      return {};
    case 'come-back':
      await server.start();
      return {};
    case 'fail':
      server.fail(command.fault, command.kind, command.times);
      return {};
    case 'tokens':
      server.tokens.clear();
      for (const token of command.tokens) server.tokens.add(token);
      return {};
    case 'compact':
      server.compact();
      return {};
    case 'counts':
      return { lists: server.count('list'), watches: server.count('watch') };
  }
}

function putNode(name: string, options: NodeOptions = {}): void {
  const uid = server.nodes.objects.get(name)?.metadata['uid'];
  server.nodes.put(nodeObject(name, { ...(typeof uid === 'string' ? { uid } : {}), ...options }));
}

function putNumbered(index: number, ballastBytes = 0): void {
  const name = `node-${index}`;
  const tail = `${index >> 8}.${index & 255}`;
  server.nodes.put(nodeObject(name, { internal: [`10.128.${tail}`], ballastBytes }));
  const pod = { node: name, ips: [`10.192.${tail}`] };
  server.pods('meshprobe').put(podObject(`endpoint-${index}`, pod));
}

function reviveDate(key: string, value: unknown): unknown {
  const isDate = ['createdAt', 'deletedAt', 'readyChangedAt'].includes(key);
  return isDate && typeof value === 'string' ? new Date(value) : value;
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer: object;
  try {
    answer = await obey(JSON.parse(line, reviveDate) as Command);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
