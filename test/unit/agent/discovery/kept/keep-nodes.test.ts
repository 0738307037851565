import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepNodes } from '../../../../../agent/discovery/kept/keep-nodes.js';
import { readKeptNodes, writeKeptNodes } from '../../../../../agent/discovery/kept/kept-list.js';
import type { NodeSource } from '../../../../../agent/discovery/node-source.js';
import {
  describeWait,
  type ReportSourceState,
  type SourceState,
} from '../../../../../agent/discovery/source-state.js';
import type { Node } from '../../../../../agent/model/node.js';
import { newFolder } from '../../../../resources/folder.js';

const node = (name: string, ip: string): Node => ({ name, host: [ip], endpoint: [] });
const old = [node('c/a', '198.51.100.1'), node('c/b', '198.51.100.2')];
const fresh = [node('c/b', '198.51.100.2')];
const keptAt = new Date('2026-01-31T14:02:07Z');
const waiting: SourceState = {
  source: 's',
  waitsFor: 'nodes of s',
  since: Date.now(),
  lastError: undefined,
  listAt: undefined,
};
const failing = { ...waiting, lastError: 'connect ECONNREFUSED' };

let folder: string;
let path: string;
let inner: { emit: (nodes: readonly Node[]) => void; report: ReportSourceState };
let lists: (readonly Node[])[];
let states: SourceState[];
let problems: (string | undefined)[];
let source: NodeSource;

beforeEach(async () => {
  folder = newFolder();
  path = join(folder, 'state', 'c.nodes');
  [lists, states, problems] = [[], [], []];
  await writeKeptNodes(path, old);
  utimesSync(path, keptAt, keptAt);
});
afterEach(() => {
  source.stop();
});

async function start(timings = {}): Promise<void> {
  source = keepNodes({
    path,
    report: (state) => states.push(state),
    onProblem: (reason) => problems.push(reason),
    create(report) {
      inner = { emit: () => undefined, report };
      return {
        start(onNodes) {
          inner.emit = onNodes;
          report(waiting);
          return Promise.resolve();
        },
        stop: () => undefined,
      };
    },
    timings,
  });
  await source.start((nodes) => lists.push(nodes));
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 5 });
const untilWritten = (nodes: readonly Node[]) =>
  until(async () => expect((await readKeptNodes(path))?.nodes).toEqual(nodes));

describe('a source whose list is kept', () => {
  test('gives the kept list once it fails, says how old it is, and gives it up for a newer one', async () => {
    await start();
    expect(states).toEqual([waiting]);
    inner.report(failing);
    await until(() => expect(lists).toEqual([old]));
    const state = states.at(-1);
    expect(state).toEqual({ ...failing, listAt: keptAt.getTime(), isKept: true });
    expect(state && describeWait(state)).toContain(
      ': the node list of 2026-01-31T14:02:07.000Z, kept by the agent before this one, stays in use (connect ECONNREFUSED)',
    );
    inner.emit(fresh);
    inner.report({ ...failing, listAt: 5 });
    expect(lists).toEqual([old, fresh]);
    expect(states.at(-1)).toEqual({ ...failing, listAt: 5 });
    await untilWritten(fresh);
  });

  test('does not use the kept list while it gives one of its own, or after', async () => {
    await start();
    inner.emit(fresh);
    inner.report(failing);
    await untilWritten(fresh);
    expect(lists).toEqual([fresh]);
    expect(states.some(({ isKept }) => isKept)).toBe(false);
  });

  test('uses the kept list of a source that says nothing', async () => {
    await start({ silentMs: 1 });
    await until(() => expect(lists).toEqual([old]));
    expect(states.at(-1)).toEqual({ ...waiting, listAt: keptAt.getTime(), isKept: true });
  });

  test('writes later lists, and while nothing changes notes that they are true', async () => {
    await start({ writeMs: 10 });
    inner.emit(old);
    inner.report({ ...waiting, since: undefined });
    await until(() => expect(statSync(path).mtimeMs).toBeGreaterThan(keptAt.getTime()));
    inner.emit(fresh);
    await untilWritten(fresh);
    utimesSync(path, keptAt, keptAt);
    await until(() => expect(statSync(path).mtimeMs).toBeGreaterThan(keptAt.getTime()));
    rmSync(path);
    await untilWritten(fresh);
    expect(problems.every((reason) => reason === undefined)).toBe(true);
  });

  test('does without a kept list that is bad, says so, and replaces it', async () => {
    writeFileSync(path, 'x\n');
    await start();
    inner.report(failing);
    await until(() => expect(problems).toHaveLength(1));
    expect(problems[0]).toMatch(/c\.nodes: expected a node list of the form/);
    expect(lists).toEqual([]);
    inner.emit(fresh);
    await untilWritten(fresh);
    await until(() => expect(problems.at(-1)).toBeUndefined());
  });

  test('goes on where nothing can be written', async () => {
    rmSync(folder, { recursive: true });
    await start();
    inner.emit(fresh);
    await until(() => expect(problems[0]).toContain('ENOENT'));
    expect(lists).toEqual([fresh]);
  });

  test('is silent once it is stopped', async () => {
    await start();
    source.stop();
    inner.report(failing);
    inner.emit(fresh);
    expect([states, lists]).toEqual([[waiting], []]);
  });
});
