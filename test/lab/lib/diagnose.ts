import type { Findings } from '../../../api/schema/v1/findings.js';
import { runHere } from '../../integration/lib/run-here.js';
import type { Agents } from './agents.js';
import type { Host } from './plan.js';

/** Runs `meshprobe diagnose -o json` on a host. Returns its output and exit code. */
export async function diagnose(
  agents: Agents,
  host: Host,
): Promise<{ readonly code: number | null; readonly body: Findings }> {
  const socket = `unix://${agents.socketPath(host)}`;
  const { code, stdout, stderr } = await runHere(['--host', socket, 'diagnose', '-o', 'json']);
  if (code !== 0 && code !== 4) throw new Error(`diagnose: exit code ${code}\n${stderr}`);
  return { code, body: JSON.parse(stdout) as Findings };
}
