import type { NodeEntry } from '../../schema/v1/nodes.js';
import { isZoneLabel } from '../../schema/v1/zone-label.js';
import { plainText } from '../model/plain-text.js';
import { firstMatrix } from '../model/routes.js';
import { Link } from './navigation.js';

/** The labels by which a node is grouped, each with a link to the matrix by it. The zone stands beside the name. */
export function NodeLabels({ node: { labels = {} } }: { readonly node: NodeEntry }) {
  const own = Object.entries(labels).filter(([label]) => !isZoneLabel(label));
  if (own.length === 0) return null;
  return (
    <dl class="facts" aria-label="Labels">
      {own.map(([label, value]) => (
        <div key={label}>
          <dt>
            <Link to={{ view: 'overview', matrix: { ...firstMatrix, by: label } }}>
              {plainText(label)}
            </Link>
          </dt>
          <dd>{plainText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
