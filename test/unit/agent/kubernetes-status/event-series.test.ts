import { expect, test } from 'vitest';
import { nextSeries } from '../../../../agent/kubernetes-status/event-series.js';

const eventTime = '2026-01-01T00:00:00.000000Z';
const laterAt = Date.parse(eventTime) + 600_000;

test('the series of an Event counts each opening once', () => {
  const event = JSON.stringify({ eventTime });
  expect(nextSeries(event, laterAt)).toEqual({ count: 2, lastAt: laterAt });
  // Another agent saw it a little earlier, and has written it.
  expect(nextSeries(event, Date.parse(eventTime) + 5000)).toBeUndefined();
  const series = { count: 6, lastObservedTime: '2026-01-01T00:09:58.000000Z' };
  expect(nextSeries(JSON.stringify({ eventTime, series }), laterAt)).toBeUndefined();
  expect(nextSeries(JSON.stringify({ eventTime, series }), laterAt + 60_000)?.count).toBe(7);
});

test('an answer that is no Event is not counted, and an absurd count is bounded', () => {
  for (const text of ['', 'null', '[]', '"x"', '{', '{"eventTime":7}', '{"eventTime":"soon"}'])
    expect(nextSeries(text, laterAt)).toBeUndefined();
  const countAfter = (count: unknown) =>
    nextSeries(JSON.stringify({ eventTime, series: { count } }), laterAt)?.count;
  expect(['7', -3, 1.5, null, 1e300].map(countAfter)).toEqual([2, 2, 2, 2, 2]);
  expect(countAfter(2 ** 31 - 1)).toBe(2 ** 31 - 1);
});
