import { expect, test } from 'vitest';
import { labelOf } from '../../../../agent/path-tests/flows/labelled-attempt.js';
import { maxFlowLabel } from '../../../../agent/path-tests/sockets/send-options.js';

test('each source port has a flow label of its own, always the same, and never none', () => {
  const ports = Array.from({ length: 60_999 - 32_768 + 1 }, (_, index) => 32_768 + index);
  const labels = ports.map(labelOf);
  expect(ports.map(labelOf)).toEqual(labels);
  expect(Math.min(...labels)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...labels)).toBeLessThanOrEqual(maxFlowLabel);
  expect(new Set(labels).size).toBeGreaterThan(0.99 * ports.length);
});
