import { expect, test } from 'vitest';
import { renderEvent } from '../../../../cli/view/event-text.js';

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
