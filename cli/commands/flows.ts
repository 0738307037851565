import type { Command } from 'commander';
import type { ProgramIo } from '../context.js';
import type { SetExitCode } from '../exit-codes.js';
import { addPathTestCommand } from '../path-test.js';
import { renderFlowsLine } from '../view/flows-text.js';

const examples = `
Examples:
  meshprobe flows node7             do connections from 64 source ports all pass to node7?
  meshprobe flows node7 --endpoint  the same to its health endpoint, through the pod network
  meshprobe flows node7 -o json     one JSON object a line, as they come

It takes ten seconds: three SYNs from each of 64 source ports to the probe port. Flows that never pass,
beside others that always do, mean that one of several equal paths is broken.
Exit codes: 0 the test was made, 1 it could not be made or four tests are under way, 2 no such node,
3 no agent, 130 Ctrl-C.`;

/** `meshprobe flows NODE`: whether all flows to a node pass. */
export function addFlowsCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  const description = 'test whether all flows to a node pass, in ten seconds';
  const command = { test: 'flows', description, examples, render: renderFlowsLine } as const;
  addPathTestCommand(program, command, io, setExitCode);
}
