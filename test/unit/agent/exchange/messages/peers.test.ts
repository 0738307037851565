import { describe, expect, test } from 'vitest';
import { MeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import { FakeMesh } from '../lib/fake-peers.js';

const key = 'a secret of all agents';

describe('the peers of an exchange', () => {
  test('a GET to an endpoint address or to the own node carries nothing', () => {
    const mesh = new FakeMesh(2);
    const { exchange } = mesh.peer(0);
    expect(exchange.ask(mesh.path(1, 'endpoint'))).toBeUndefined();
    expect(exchange.ask(mesh.path(0))).toBeUndefined();
    expect(exchange.ask(mesh.path(1))).toBeDefined();
  });

  test('an agent sends no row if the request does not come from a host address of the named node', () => {
    const mesh = new FakeMesh(3);
    const question = mesh.peer(0).exchange.ask(mesh.path(1));
    const { exchange } = mesh.peer(1);
    for (const ip of ['203.0.113.9', '10.2.0.0', mesh.peer(2).hostIp, '']) {
      expect(exchange.answer(question?.header ?? '', ip)).toBeUndefined();
    }
    expect(exchange.counts().messagesRefused.source).toBe(4);
    expect(exchange.answer(question?.header ?? '', `::ffff:${mesh.peer(0).hostIp}`)).toBeDefined();
  });

  test('a request from a foreign address is told of with both addresses; a name of no node only from a node', () => {
    const mesh = new FakeMesh(3);
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    const { hostIp } = mesh.peer(2);
    exchange.answer(header, '203.0.113.9');
    exchange.answer(header, hostIp);
    exchange.answer(header.replace('from=c/n0', 'from=c/fqdn.example'), '203.0.113.9');
    exchange.answer(header.replace('from=c/n0', 'from=c/fqdn.example'), hostIp);
    const hostIps = [mesh.peer(0).hostIp];
    expect(foreignSources).toEqual([
      { from: 'c/n0', sourceIp: '203.0.113.9', owner: undefined, hostIps },
      { from: 'c/n0', sourceIp: hostIp, owner: 'c/n2', hostIps },
      { from: 'c/fqdn.example', sourceIp: hostIp, owner: 'c/n2', hostIps: undefined },
    ]);
  });

  test('a request from a trusted address or network is answered, for a listed node alone', () => {
    const mesh = new FakeMesh(3, { trustedSources: ['203.0.113.9', '2001:db8::/64'] });
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::7']) {
      expect(exchange.answer(header, ip)).toBeDefined();
    }
    for (const ip of ['203.0.113.10', '2001:db8:0:1::7']) {
      expect(exchange.answer(header, ip)).toBeUndefined();
    }
    expect(foreignSources.map(({ sourceIp }) => sourceIp)).toEqual([
      '203.0.113.10',
      '2001:db8:0:1::7',
    ]);
    const stranger = header.replace('from=c/n0', 'from=c/n9');
    expect(exchange.answer(stranger, '203.0.113.9')).toBeUndefined();
  });

  test('with a key the source address may be any, because the key proves the name', () => {
    const mesh = new FakeMesh(2, { keysOf: () => new MeshKeys([key]) });
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    expect(exchange.answer(header, '203.0.113.9')).toBeDefined();
    const forged = header.replace('from=c/n0', 'from=c/n9');
    expect(exchange.answer(forged, '203.0.113.9')).toBeUndefined();
    expect(foreignSources).toEqual([]);
  });

  test('an agent sends no row if the request was meant for another node', () => {
    const mesh = new FakeMesh(3);
    const question = mesh.peer(0).exchange.ask(mesh.path(2));
    expect(
      mesh.peer(1).exchange.answer(question?.header ?? '', mesh.peer(0).hostIp),
    ).toBeUndefined();
  });

  test('peers that answer without a row are counted, until they send one or are listed no more', () => {
    const mesh = new FakeMesh(4);
    const peer = mesh.peer(0);
    const answerPlainly = (index: number) =>
      peer.exchange.ask(mesh.path(index))?.onAnswer(undefined, '');
    for (const index of [1, 2, 2, 3]) answerPlainly(index);
    expect(peer.peers.counts()).toMatchObject({ fresh: 0, silent: 3, plain: 3 });
    mesh.exchangeBetween(peer, mesh.peer(1));
    expect(peer.peers.counts()).toMatchObject({ fresh: 1, silent: 2, plain: 2 });
    peer.update(mesh.nodes.slice(0, 3));
    expect(peer.peers.counts()).toMatchObject({ fresh: 1, silent: 1, plain: 1 });
  });

  test('a peer that answers without a row gets no hints', () => {
    const mesh = new FakeMesh(4);
    const { exchange } = mesh.peer(0);
    exchange.ask(mesh.path(1))?.onAnswer(undefined, '');
    mesh.transition(mesh.peer(0), mesh.path(3), 'icmp', 'unreachable');
    expect(exchange.ask(mesh.path(1))?.header).not.toContain('hints');
    expect(exchange.counts().messagesRefused).toEqual({
      malformed: 0,
      unauthenticated: 0,
      source: 0,
    });
  });

  test('agents with different keys ignore and count each other', () => {
    const mesh = new FakeMesh(2, { keysOf: (index) => new MeshKeys(index === 0 ? [key] : []) });
    expect(mesh.exchangeBetween(mesh.peer(1), mesh.peer(0))).toBeUndefined();
    expect(mesh.peer(0).exchange.counts().messagesRefused.unauthenticated).toBe(1);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(mesh.peer(0).exchange.counts().messagesRefused.unauthenticated).toBe(2);
    expect(mesh.peer(0).peers.observers.counts(0)).toMatchObject({ fresh: 0, silent: 1 });
  });

  test('both sides know that their keys differ, where one or both have one, and that they fit again', () => {
    const keys = [new MeshKeys([key]), new MeshKeys()];
    const mesh = new FakeMesh(2, { keysOf: (index) => keys[index] as MeshKeys });
    const [keyed, keyless] = [mesh.peer(0), mesh.peer(1)];
    mesh.exchangeBetween(keyless, keyed);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyed.keys).toEqual([
      ['c/n1', false],
      ['c/n1', false],
    ]);
    expect(keyless.keys).toEqual([['c/n0', false]]);
    keys[1]?.replace(['another secret of agents']);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyless.keys.at(-1)).toEqual(['c/n0', false]);
    keys[1]?.replace([key]);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyless.keys.at(-1)).toEqual(['c/n0', true]);
  });
});
