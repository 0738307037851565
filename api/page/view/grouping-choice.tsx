import { isZoneLabel } from '../../schema/v1/zone-label.js';
import { useAgentState } from '../client/context.js';
import { plainText } from '../model/plain-text.js';
import type { MatrixChoice } from '../model/routes.js';
import { useNavigation } from './navigation.js';

/** What the nodes of the matrix are grouped by: their zones, or the values of a label. */
export function GroupingChoice({ choice }: { readonly choice: MatrixChoice }) {
  const navigation = useNavigation();
  const groupBy = useAgentState(({ summary }) => summary?.groupBy) ?? [];
  const { by = '' } = choice;
  const labels = groupBy.filter((label) => !isZoneLabel(label));
  // The URL may have a label by which nodes are grouped no more.
  const offered = by === '' || labels.includes(by) ? labels : [...labels, by];
  if (offered.length === 0) return null;
  return (
    <label>
      Group by{' '}
      <select
        value={by}
        onChange={({ currentTarget: { value } }) => {
          const { plane, protocol } = choice;
          const matrix = { plane, protocol, ...(value !== '' && { by: value }) };
          navigation.go({ view: 'overview', matrix });
        }}
      >
        <option value="">zone</option>
        {offered.map((label) => (
          <option key={label} value={label}>
            {plainText(label)}
          </option>
        ))}
      </select>
    </label>
  );
}
