import type { Targets } from '../../schema/v1/targets.js';
import { useAgentBody } from '../client/use-agent-body.js';
import type { Route } from '../model/routes.js';
import { useNavigation } from './navigation.js';
import { Refusal } from './refusal.js';
import { TargetsTable } from './targets-table.js';

const refreshMs = 5000;

type TargetsRoute = Extract<Route, { readonly view: 'targets' }>;

/** The targets as a view of their own. It says so where there are none. */
export function TargetsPage({ route }: { readonly route: TargetsRoute }) {
  const navigation = useNavigation();
  const { body, refusal } = useAgentBody<Targets>('/v1/targets', refreshMs);
  return (
    <section class="page" aria-labelledby="targets">
      <h1 id="targets" tabIndex={-1}>
        Targets
      </h1>
      {refusal !== undefined && <Refusal words={refusal} />}
      {body?.targets.length === 0 && (
        <p class="muted">
          The agent was given no targets: <code>--targets-file</code>, and{' '}
          <code>--targets auto</code> on Kubernetes.
        </p>
      )}
      {body && body.targets.length > 0 && (
        <TargetsTable
          targets={body.targets}
          sort={route.sort}
          onSort={(sort) => navigation.replace({ ...route, sort })}
        />
      )}
    </section>
  );
}
