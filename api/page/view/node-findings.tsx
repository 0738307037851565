import { isAbout } from '../../schema/v1/finding-subject.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import { useAgentState } from '../client/context.js';
import { Glyph } from './glyph.js';
import { useShortText } from './names.js';
import { Link } from './navigation.js';

/** The open findings that are about a node. */
export function NodeFindings({ node }: { readonly node: NodeEntry }) {
  const short = useShortText();
  const findings = useAgentState((state) => state.findings);
  const own = findings?.findings.filter((finding) => isAbout(finding, node));
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
