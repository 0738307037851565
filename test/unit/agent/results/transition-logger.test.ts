import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { PathState } from '../../../../agent/model/path-state.js';
import { createTransitionLogger, togetherMs } from '../../../../agent/results/transition-logger.js';
import type { Transition } from '../../../../agent/results/result-store.js';

/** A log in memory, and a clock whose timers fire when they are told to. */
function startLogging() {
  const lines: { level: number; msg: string; [fact: string]: unknown }[] = [];
  const timers: { readonly delayMs: number; readonly fire: () => void }[] = [];
  const logger = pino(
    { level: 'debug', base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  const onTransition = createTransitionLogger(logger, {
    after(delayMs, fire) {
      timers.push({ delayMs, fire });
      return () => undefined;
    },
  });
  return { lines, timers, onTransition };
}

const state = (name: PathState['state']): PathState => ({ state: name }) as PathState;

function change(
  node: string,
  [before, after]: readonly [PathState['state'], PathState['state']],
  isExpected = true,
): Transition {
  const path = { node, plane: 'host', ip: '192.0.2.1' } as const;
  return { path, protocol: 'icmp', before: state(before), after: state(after), isExpected };
}

const neverAnswered = ['unknown', 'unreachable'] as const;
const levels = { debug: 20, info: 30, warn: 40 };

test('a thousand nodes that never answered are one warning, with three names', () => {
  const { lines, timers, onTransition } = startLogging();
  for (let at = 1; at <= 1000; at++) {
    for (let path = 0; path < 2; path++) onTransition(change(`c/n${at}`, neverAnswered));
  }
  expect(lines.filter(({ level }) => level > levels.debug)).toEqual([]);
  expect(lines).toHaveLength(2000);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([togetherMs]);
  timers[0]?.fire();
  expect(lines.filter(({ level }) => level > levels.debug)).toEqual([
    {
      level: levels.warn,
      paths: 2000,
      nodes: 1000,
      examples: ['c/n1', 'c/n2', 'c/n3'],
      msg: 'paths have never answered',
    },
  ]);
  // Those that come later are a line of their own.
  onTransition(change('c/late', neverAnswered));
  timers[1]?.fire();
  expect(lines.at(-1)).toMatchObject({ paths: 1, nodes: 1, examples: ['c/late'] });
});

test('nodes that are not expected to answer give no warning', () => {
  const { lines, timers, onTransition } = startLogging();
  onTransition(change('c/n1', neverAnswered, false));
  onTransition(change('c/n2', ['reachable', 'unreachable'], false));
  timers[0]?.fire();
  expect(lines.map(({ level }) => level)).toEqual([levels.debug, levels.info, levels.info]);
});

test('each path that answered before is told at once', () => {
  const { lines, timers, onTransition } = startLogging();
  onTransition(change('c/n1', ['reachable', 'unreachable']));
  onTransition(change('c/n1', ['unreachable', 'reachable']));
  onTransition(change('c/n2', ['unknown', 'reachable']));
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [levels.warn, 'path is unreachable'],
    [levels.info, 'path is reachable'],
    [levels.debug, 'path is reachable'],
  ]);
  expect(timers).toEqual([]);
});
