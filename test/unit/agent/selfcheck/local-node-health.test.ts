import { describe, expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { Health } from '../../../../agent/selfcheck/health.js';
import { createLocalNodeReporter } from '../../../../agent/selfcheck/local-node-health.js';
import { FakeClock } from '../probing/fake-clock.js';

function create(localName: string) {
  const health = new Health(new FakeClock());
  const problems = new Problems();
  const logged: string[] = [];
  const log = (_: unknown, text = ''): void => void logged.push(text);
  const logger = { info: log, warn: log };
  const onNodeList = createLocalNodeReporter({ localName, health, logger, problems });
  const take = (...names: string[]) =>
    onNodeList(names.map((name) => ({ name, host: ['198.51.100.1'], endpoint: [] })));
  return { health, problems, logged, take };
}

describe('an agent whose node is not in the node list', () => {
  test('is ready, and says so with the nearest name as a problem and a note', () => {
    const { health, problems, take } = create('c/n1.example.com');
    take('c/n1', 'c/n2');
    const text =
      "this agent's node c/n1.example.com is not in the node list; " +
      'the nearest name there is c/n1 (--node-name)';
    expect(problems.coded()).toEqual([{ code: 'local-node', severity: 'warning', text }]);
    expect(health.ready()).toEqual({ ok: true, reasons: [], notes: [`local-node: ${text}`] });
  });

  test('is told of the flag for the cluster where that differs', () => {
    const { problems, take } = create('default/n1');
    take('west/n1', 'west/n2');
    expect(problems.list()[0]).toMatch(/ there is west\/n1 \(--cluster-name\)$/);
  });

  test('says so where no name is near, and where the list is empty', () => {
    const { problems, take } = create('c/database');
    const text = "this agent's node c/database is not in the node list (--node-name)";
    take('c/n1', 'c/n2');
    expect(problems.list()).toEqual([text]);
    take();
    expect(problems.list()).toEqual([text]);
  });

  test('logs it once, and says nothing more once it is listed', () => {
    const { health, problems, logged, take } = create('c/n1');
    take('c/n2');
    take('c/n2', 'c/n3');
    take('c/n1', 'c/n2');
    take('c/n1');
    expect(logged).toEqual([
      'this node is not in the node list; probing goes on',
      'this node is listed now',
    ]);
    expect(problems.list()).toEqual([]);
    expect(health.ready()).toEqual({ ok: true, reasons: [], notes: [] });
  });
});
