import type { Targets } from '../../schema/v1/targets.js';
import { useAgentBody, useKept } from '../client/use-agent-body.js';
import { TargetsTable } from './targets-table.js';

const refreshMs = 5000;

/** What the cluster lives on, and who reaches it. Nothing is shown where there are no targets. */
export function TargetsCard() {
  const { body: newest } = useAgentBody<Targets>('/v1/targets', refreshMs);
  const body = useKept(newest);
  if (!body || body.targets.length === 0) return null;
  return (
    <section class="page" aria-labelledby="targets">
      <h2 id="targets">Targets</h2>
      <TargetsTable targets={body.targets} />
    </section>
  );
}
