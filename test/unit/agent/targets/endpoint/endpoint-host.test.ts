import { describe, expect, test } from 'vitest';
import type { EndpointHost } from '../../../../../agent/model/endpoint-host.js';
import { podNetworkOf } from '../../../../../agent/start/pod-network.js';
import {
  decodeEndpointHost,
  withEndpointHost,
} from '../../../../../agent/targets/endpoint/endpoint-host.js';
import { maxEndpointBodyBytes } from '../../../../../agent/targets/endpoint/endpoint-limits.js';
import { makeSign } from '../../../../rows/make-host.js';

const sign = makeSign({ sign: 'udp-buffer-drops', plane: 'endpoint', value: 600 });
const host: EndpointHost = {
  network: 'net:[4026532177]',
  signs: [sign, { ...sign, sign: 'conntrack-full', about: 'eth0', orBefore: true }],
  missing: ['icmp-limited'],
};
const results = '{"targets":[]}';

/** The answer of an endpoint, with something else in it. */
function told(change: (host: Record<string, unknown>) => unknown): string {
  const body = JSON.parse(withEndpointHost(results, host)) as { host: Record<string, unknown> };
  return JSON.stringify({ ...body, host: change(body.host) });
}

const ofSign = (fields: object) => told((one) => ({ ...one, signs: [{ ...sign, ...fields }] }));

describe('what an endpoint tells of its network', () => {
  test('is the same after it has travelled', () => {
    expect(decodeEndpointHost(withEndpointHost(results, host))).toEqual(host);
    const unknown: EndpointHost = { network: undefined, signs: [], missing: [] };
    expect(decodeEndpointHost(withEndpointHost(results, unknown))).toEqual(unknown);
  });

  test('is of the pod network, whatever plane it says', () => {
    expect(decodeEndpointHost(ofSign({ plane: 'host' }))?.signs).toEqual([sign]);
  });

  test('may be newer: signs that are not known are left out', () => {
    expect(decodeEndpointHost(ofSign({ sign: 'newer' }))?.signs).toEqual([]);
    const newer = told((one) => ({ ...one, missing: ['newer', 'icmp-limited'], more: 1 }));
    expect(decodeEndpointHost(newer)?.missing).toEqual(['icmp-limited']);
  });

  test('is left out where the results leave no room', () => {
    const long = `{"targets":[],"more":"${'x'.repeat(maxEndpointBodyBytes - 30)}"}`;
    expect(withEndpointHost(long, host)).toBe(long);
  });

  test.each([
    ['no results', ''],
    ['results alone', results],
    ['no JSON', '{"host":'],
    ['more than fits', `{"host":${' '.repeat(maxEndpointBodyBytes)}{}}`],
    ['a text', told(() => 'x')],
    ['null', told(() => null)],
    ['another network', told((one) => ({ ...one, network: '../../etc' }))],
    ['too many signs', told((one) => ({ ...one, signs: Array(9).fill(sign) }))],
    ['one sign twice', told((one) => ({ ...one, signs: [sign, sign] }))],
    ['too much that is missing', told((one) => ({ ...one, missing: Array(99).fill('x') }))],
    ['a name that hides text', ofSign({ about: '\u001b[2J' })],
    ['a negative figure', ofSign({ value: -1 })],
    ['no figure', ofSign({ value: null })],
    ['a huge figure', ofSign({ limit: 1e13 })],
    ['an age of centuries', ofSign({ ageSeconds: 1e12 })],
    ['another word for true', ofSign({ orBefore: 'yes' })],
  ])('is nothing where it is %s', (_, body) => {
    expect(decodeEndpointHost(body)).toBeUndefined();
  });
});

describe('the pod network of a node', () => {
  test('has the signs of the endpoint, and what is not shown there', () => {
    const network = podNetworkOf(host, 'net:[4026531840]');
    expect(network?.signs).toEqual(host.signs);
    expect(network?.missing).toMatchObject({
      signs: ['icmp-limited'],
      because: 'the pod network of this node does not show them',
    });
    expect(podNetworkOf({ ...host, missing: [] }, 'net:[1]')?.missing).toBeUndefined();
  });

  test('is none where the endpoint is in the network of the agent, or does not know it', () => {
    expect(podNetworkOf(host, 'net:[4026532177]')).toBeUndefined();
    expect(podNetworkOf({ ...host, network: undefined }, undefined)).toBeUndefined();
  });

  test('is said to be unknown where the endpoint tells nothing', () => {
    const { signs, missing } = podNetworkOf(undefined) ?? {};
    expect(signs).toEqual([]);
    expect(missing?.signs).toContain('conntrack-full');
    expect(missing?.because).toBe('the endpoint of this node tells nothing of the pod network');
  });
});
