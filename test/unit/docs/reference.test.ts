import { expect, test } from 'vitest';
import { renderReference } from './render-reference.js';

test('docs/reference.md says what the settings and the schemas say', async () => {
  await expect(renderReference()).toMatchFileSnapshot('../../../docs/reference.md');
});
