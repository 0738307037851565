import type { Command } from 'commander';
import type { ProgramIo } from '../context.js';
import type { SetExitCode } from '../exit-codes.js';
import { addPathTestCommand } from '../path-test.js';
import { createTraceView } from '../view/trace-text.js';

const examples = `
Examples:
  meshprobe trace node7             the routers on the way to node7, by ICMP echo
  meshprobe trace node7 --tcp       the same by TCP to the probe port, as a GET goes
  meshprobe trace node7 --endpoint  the way to its health endpoint, through the pod network
  meshprobe trace node7 -o json     one JSON object a line, as they come

Each hop is tried up to three times, in two seconds for all. All packets are one flow, so routers that
share the load between paths send them all the same way. A router need not answer: "no answer" between
two hops that answer means nothing.
Exit codes: 0 the trace was made, 1 it could not be made or four tests are under way, 2 no such node,
3 no agent, 130 Ctrl-C.`;

/** `meshprobe trace NODE`: the hops on the way to a node. */
export function addTraceCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  const description = 'trace the hops to a node, now';
  const command = { test: 'trace', description, examples, canUseTcp: true } as const;
  addPathTestCommand(program, { ...command, render: createTraceView() }, io, setExitCode);
}
