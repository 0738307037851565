import { describe, expect, test } from 'vitest';
import { readOptions, MeshUsageError } from '../../../../scripts/local-mesh/options.js';

describe("the mesh's arguments", () => {
  test('are 4 nodes and port 4240 by default', () => {
    expect(readOptions([])).toEqual({ nodeCount: 4, probePort: 4240 });
  });

  test('are read as given', () => {
    expect(readOptions(['--nodes', '8', '--probe-port=14240'])).toEqual({
      nodeCount: 8,
      probePort: 14240,
    });
    expect(readOptions(['--help'])).toBe('help');
  });

  test.each([
    [['--nodes', '0'], '--nodes: expected a whole number from 1 to 50, got "0"'],
    [['--nodes', '51'], '--nodes: expected a whole number from 1 to 50, got "51"'],
    [['--nodes', '4.5'], '--nodes: expected a whole number from 1 to 50, got "4.5"'],
    [['--probe-port', 'x'], '--probe-port: expected a whole number from 1 to 65535, got "x"'],
    [['--node', '4'], "Unknown option '--node' (see --help)"],
    [['--nodes'], "Option '--nodes <value>' argument missing (see --help)"],
    [['4'], "Unexpected argument '4' (see --help)"],
  ])('%j are refused in one line', (argv, message) => {
    expect(() => readOptions(argv)).toThrow(new MeshUsageError(message));
  });
});
