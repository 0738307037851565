// `mesh-peers.mjs NODES PORT GETS-PER-SECOND on|off`: answers for all nodes of a bench cluster as
// their agents would. It also asks the measured agent as often as they would. After a line `dead
// COUNT` on stdin the last COUNT nodes are dead, and the others report it. After a line `silent` no GET
// of theirs is sent any more.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import {
  maxHintsPerMessage,
  hintLifetimeMs,
  type Hint,
} from '../../../agent/exchange/hints/hint.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import {
  decodeRequest,
  encodeAnswer,
  encodeRequest,
} from '../../../agent/exchange/messages/message.js';
import { lowestHashes } from '../../../agent/peers/named-nodes.js';
import { maxRowNodes } from '../../../agent/model/row.js';
import { encodeRow } from '../../../agent/peers/row/row-text.js';
import { channels } from '../../../agent/model/channel.js';
import { exchangeHeader } from '../../../agent/model/hello-headers.js';
import { createAnswer } from '../../../agent/serving/responder/answer.js';
import { startResponder } from '../../../agent/serving/responder/responder.js';
import { makeRow, pathsTo } from '../../rows/make-row.js';
import { clusterOf } from '../environment/cluster.js';
import { agentIp } from '../environment/environment.js';

const [count = '', port = '', getsPerSecond = '', mode = ''] = process.argv.slice(2);
const exchanges = mode === 'on';
const nodes = clusterOf(Number(count));
const nameOf = (name: string): string => `default/${name}`;
const local = nameOf(nodes[0]?.name ?? '');
const keys = new MeshKeys();
/** The time after which the first agent knows that a node is dead. */
const verdictMs = 1500;

let isSilent = false;
let dead: readonly string[] = [];
let toldSinceMs = -Infinity;
let generation = 1;
let row = writeRow();
/** For each peer, the tag of the agent's row that it has. */
const tags = new Map<string, string>();

/** The row of a peer: all nodes are well except the dead ones. It is the same for all peers. */
function writeRow(): string {
  const told = lowestHashes(dead, maxRowNodes);
  const state = { state: 'unreachable', ageSeconds: 0, failure: 'timeout' } as const;
  const paths = told.flatMap((node) => pathsTo(node, () => state));
  const omittedNodes = dead.length - told.length;
  return encodeRow(makeRow(local, paths, nodes.length, { httpIntervalMs: 60_000, omittedNodes }));
}

/** Some of the changes that a peer has seen in the last seconds. */
function hintsNow(): Hint[] {
  const sinceMs = performance.now() - toldSinceMs;
  if (sinceMs > hintLifetimeMs) return [];
  const all = Math.min(maxHintsPerMessage, dead.length * channels.length);
  const first = Math.floor(Math.random() * dead.length);
  return Array.from({ length: all }, (_, index): Hint => {
    const node = dead[(first + Math.floor(index / channels.length)) % dead.length] ?? '';
    const { plane, protocol } = channels[index % channels.length] as (typeof channels)[number];
    const ageMs = Math.round(Math.random() * sinceMs);
    return { node, plane, protocol, change: 'failure', ageMs, isWitness: index % 2 === 0 };
  });
}

function answer(header: string): { header: string; body: string } | undefined {
  const request = exchanges ? decodeRequest(header, keys) : undefined;
  if (!request || 'refused' in request) return undefined;
  const rowTag = `bench.${generation}`;
  const body = request.rowTag === rowTag ? '' : `{"ageMs":0,"row":${row}}`;
  return {
    header: encodeAnswer({ rowTag, hints: hintsNow(), targetHints: [] }, body, request, keys),
    body,
  };
}

/** Sends one GET from a random living peer to the agent. */
function askAgent(): void {
  const living = nodes.length - dead.length;
  const peer = nodes[1 + Math.floor(Math.random() * Math.max(living - 1, 1))];
  if (!peer || isSilent) return;
  const from = nameOf(peer.name);
  const request = {
    from,
    to: local,
    nonce: randomBytes(12).toString('base64url'),
    rowTag: tags.get(from),
    wholeRow: undefined,
    hints: hintsNow(),
    targetHints: [],
  };
  const carried = exchanges ? `${exchangeHeader}: ${encodeRequest(request, keys)}\r\n` : '';
  const socket = connect({ host: agentIp, port: Number(port), localAddress: peer.host });
  socket.setEncoding('latin1').setTimeout(2000, () => socket.destroy());
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => (text += chunk));
  socket.once('close', () => {
    const tag = new RegExp(`^${exchangeHeader}: 1;row=([^;\\r]+)`, 'm').exec(text)?.[1];
    if (tag !== undefined) tags.set(from, tag);
  });
  socket.write(`GET /hello HTTP/1.1\r\nHost: x\r\n${carried}\r\n`);
}

await startResponder({
  addresses: [],
  port: Number(port),
  onFailure: (reason) => {
    throw reason;
  },
  answer: createAnswer({ carried: { [exchangeHeader]: answer } }),
});
setInterval(askAgent, 1000 / Number(getsPerSecond));
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'silent') {
    isSilent = true;
    return;
  }
  const dying = Number(/^dead (\d+)$/.exec(line)?.[1] ?? NaN);
  if (Number.isNaN(dying)) throw new Error(`expected "dead COUNT" or "silent", got ${line}`);
  dead = nodes.slice(nodes.length - dying).map(({ name }) => nameOf(name));
  setTimeout(
    () => {
      toldSinceMs = dying > 0 ? performance.now() : -Infinity;
      generation++;
      row = writeRow();
    },
    dying > 0 ? verdictMs : 0,
  );
});
process.stdout.write('ready\n');
