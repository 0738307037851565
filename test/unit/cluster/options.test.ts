import { describe, expect, it } from 'vitest';
import { ClusterUsageError, readCommand } from '../../cluster/lib/options.js';

describe('npm run cluster', () => {
  it.each([
    [[], { name: 'help' }],
    [['--help'], { name: 'help' }],
    [['up', '--help'], { name: 'help' }],
    [['up'], { name: 'up', nodes: 4, values: [] }],
    [['up', '--nodes', '16', '--no-install'], { name: 'up', nodes: 16 }],
    [
      ['up', '--set', 'a=1', '--set=b=2', '--base-image', 'node:24-slim'],
      { name: 'up', nodes: 4, values: ['a=1', 'b=2'], baseImage: 'node:24-slim' },
    ],
    [['down'], { name: 'down' }],
    [['cut', 'node3'], { name: 'cut', node: 3 }],
    [['off', '12'], { name: 'off', node: 12 }],
    [['exec'], { name: 'exec', command: [] }],
    [
      ['exec', 'kubectl', 'get', 'pods', '--node', 'x'],
      { name: 'exec', command: ['kubectl', 'get', 'pods', '--node', 'x'] },
    ],
    [
      ['exec', '--node', 'node2', '--', 'ip', 'route'],
      { name: 'exec', node: 2, command: ['ip', 'route'] },
    ],
    [['exec', '--node=2', 'ip'], { name: 'exec', node: 2, command: ['ip'] }],
    [['exec', '--', '--node'], { name: 'exec', command: ['--node'] }],
  ])('takes %j', (argv, expected) => {
    expect(readCommand(argv)).toEqual(expected);
  });

  it.each([
    [['pu'], 'expected one of up, down, exec, on, off, reboot, cut, join, got "pu" (see --help)'],
    [['up', '--nodes', '0'], '--nodes: expected a whole number from 1 to 16, got "0"'],
    [['up', '--nodes', '17'], '--nodes: expected a whole number from 1 to 16, got "17"'],
    [['up', '--nodes', '4\n'], '--nodes: expected a whole number from 1 to 16, got "4\\n"'],
    [['up', 'now'], 'up: unexpected "now"'],
    [['up', '--node', '4'], "Unknown option '--node' (see --help)"],
    [['down', '--nodes', '4'], 'down: unexpected --nodes'],
    [['off'], 'off: expected one node'],
    [['off', 'node1', 'node2'], 'off: expected one node'],
    [['off', 'node0'], 'expected a node from node1 to node16, got "node0"'],
    [['off', '../etc'], 'expected a node from node1 to node16, got "../etc"'],
    [['exec', '--node'], '--node: expected a node'],
    [['exec', '-n', 'ip'], 'exec: unexpected "-n" (see --help)'],
  ])('refuses %j', (argv, message) => {
    expect(() => readCommand(argv)).toThrow(new ClusterUsageError(message));
  });
});
