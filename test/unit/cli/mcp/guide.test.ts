import { expect, test } from 'vitest';
import { findingKinds } from '../../../../api/schema/v1/finding-kinds.js';
import { guideSections } from '../../../../cli/mcp/guide.js';

test('the page is cut into its beginning and one section for each kind of finding', () => {
  const sections = guideSections();
  expect(sections.map(({ anchor }) => anchor).sort()).toEqual(['', ...findingKinds].sort());
  for (const { anchor, text } of sections) {
    expect(text.startsWith(anchor === '' ? '# When it says' : `## ${anchor}\n`)).toBe(true);
  }
});
