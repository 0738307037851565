import { expect, test } from 'vitest';
import { renderEvent } from '../../../../cli/view/event-text.js';
import { signLine } from '../../../../cli/view/sign-text.js';

test('an event of a node says what the cluster itself says is wrong with it', () => {
  const event = {
    id: 7,
    at: '2026-01-31T14:02:09Z',
    type: 'node',
    change: 'changed',
    node: 'c/n7',
    lifecycle: { phase: 'active' },
  } as const;
  const words = (known?: string) =>
    renderEvent({ ...event, ...(known !== undefined && { known }) }, (_, text) => text);
  expect(words()).toMatch(/ c\/n7 changed \(active\)\n$/);
  expect(words('Kubernetes: NotReady since 14:02\u001b')).toMatch(
    / c\/n7 changed \(active\), Kubernetes: NotReady since 14:02\\x1b\n$/,
  );
});

test('a finding that closed without being mended says why, and is not green', () => {
  const event = {
    id: 8,
    at: '2026-01-31T14:02:09Z',
    type: 'finding',
    change: 'closed',
    finding: 'target-down:web',
    kind: 'target-down',
    severity: 'broken',
    text: 'none of 3 nodes can reach web',
  } as const;
  const paint = (colour: string, text: string): string => `${colour}:${text}`;
  expect(renderEvent(event, paint)).toContain('green:closed: none of 3 nodes can reach web');
  expect(renderEvent({ ...event, reason: 'no longer watched' }, paint)).toContain(
    'yellow:closed (no longer watched): none of 3 nodes can reach web',
  );
});

test('a change on a host says when its host found it', () => {
  const event = {
    id: 9,
    at: '2026-01-31T14:02:09Z',
    type: 'change',
    node: 'c/n\u001b',
    foundAt: '2026-01-31T14:02:01Z',
    withinSeconds: 10,
    change: 'interface-mtu',
    text: 'interface eth\u001b went from MTU 1500 to 1400',
    from: '1500',
    to: '1400',
  } as const;
  expect(renderEvent(event, (_, text) => text)).toBe(
    '2026-01-31T14:02:09Z  9  change   c/n\\x1b: interface eth\\x1b went from MTU 1500 to 1400, at 14:02:01 UTC or up to 10s before\n',
  );
});

test('a sign says since when, and that it may be older', () => {
  const sign = { text: 'conntrack table full (10 of 10)', since: '2026-01-31T10:02:11Z' };
  const told = (more: object) => signLine({ ...sign, ...more }, (_, text) => text);
  expect(told({})).toBe('conntrack table full (10 of 10) since 10:02:11 UTC');
  expect(told({ orBefore: true })).toBe(
    'conntrack table full (10 of 10) since 10:02:11 UTC or before',
  );
});
