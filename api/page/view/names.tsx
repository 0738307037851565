import { useCallback } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import { plainText, withoutCluster } from '../model/plain-text.js';
import { Link } from './navigation.js';

/**
 * Returns a function that makes a text from the network safe to show. It leaves out the cluster of
 * names where all nodes are of one cluster.
 */
export function useShortText(): (text: string) => string {
  const cluster = useAgentState(({ summary }) =>
    summary?.clusters === 1 ? summary.node.split('/', 1)[0] : undefined,
  );
  return useCallback((text) => plainText(withoutCluster(text, cluster)), [cluster]);
}

/** A name from the network. It is shown as text, whatever it holds. */
export function Name({ of }: { readonly of: string }) {
  const short = useShortText();
  return <bdi class="name">{short(of)}</bdi>;
}

/** A name in a table: it takes one line, and a pointer shows what did not fit. */
export function ClippedName({ of }: { readonly of: string }) {
  const short = useShortText();
  return (
    <bdi class="name clipped" title={plainText(of)}>
      {short(of)}
    </bdi>
  );
}

/** A node's name as a link to its page. */
export function NodeLink({
  name,
  isClipped = false,
}: {
  readonly name: string;
  readonly isClipped?: boolean;
}) {
  return (
    <Link to={{ view: 'node', name }}>
      {isClipped ? <ClippedName of={name} /> : <Name of={name} />}
    </Link>
  );
}

/** A target's name as a link to its page. */
export function TargetLink({ name }: { readonly name: string }) {
  const text = plainText(name);
  return (
    <Link to={{ view: 'target', name, sort: '' }}>
      <bdi class="name clipped" title={text}>
        {text}
      </bdi>
    </Link>
  );
}
