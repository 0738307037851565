import type { Command } from 'commander';
import type { ProgramIo } from '../context.js';
import type { SetExitCode } from '../exit-codes.js';
import { addPathTestCommand } from '../path-test.js';
import { renderMtuLine } from '../view/mtu-text.js';

const examples = `
Examples:
  meshprobe mtu node7             the largest packet that passes to node7
  meshprobe mtu node7 --endpoint  the largest that passes to its health endpoint, through the pod network
  meshprobe mtu node7 -o json     one JSON object a line, as they come

It sends at most twelve echoes that no router may cut in pieces. Sizes are of whole IP packets. It tests
this direction: run it on the other node for the way back.
Exit codes: 0 the test was made, 1 it could not be made or four tests are under way, 2 no such node,
3 no agent, 130 Ctrl-C.`;

/** `meshprobe mtu NODE`: the largest packet that passes to a node. */
export function addMtuCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  const description = 'find the largest packet that passes to a node, now';
  const command = { test: 'mtu', description, examples, render: renderMtuLine } as const;
  addPathTestCommand(program, command, io, setExitCode);
}
