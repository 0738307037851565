import { useAgentState } from '../client/context.js';
import { Glyph } from './glyph.js';
import { useShortText } from './names.js';
import { Link } from './navigation.js';

/** The open findings that name a node. */
export function NodeFindings({ name }: { readonly name: string }) {
  const short = useShortText();
  const findings = useAgentState((state) => state.findings);
  const own = findings?.findings.filter(
    ({ node, pair }) => node === name || (pair?.includes(name) ?? false),
  );
  if (!own || own.length === 0) return null;
  return (
    <ul class="node-findings" aria-label="Findings about this node">
      {own.map(({ id, severity, text }) => (
        <li key={id} class={`finding-${severity}`}>
          <Glyph kind={severity} />
          <Link to={{ view: 'finding', id }}>{short(text)}</Link>
        </li>
      ))}
    </ul>
  );
}
