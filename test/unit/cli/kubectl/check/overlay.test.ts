import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOverlay } from '../../../../../cli/kubectl/check/overlay.js';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['registry:5000/mesh/probe', ['newName: registry:5000/mesh/probe', 'newTag: "latest"']],
  ['registry:5000/mesh/probe:1.2', ['newName: registry:5000/mesh/probe', 'newTag: "1.2"']],
  [`mesh:1@${digest}`, ['newName: mesh', `digest: ${digest}`]],
])('takes apart the image %s', (image, lines) => {
  const options = { namespace: 'n', instance: 'i', image, hasCilium: false };
  const overlay = writeOverlay({}, options);
  try {
    const text = readFileSync(join(overlay.objectsFolder, 'kustomization.yaml'), 'utf8');
    expect(text.split('\n').map((line) => line.trim())).toEqual(expect.arrayContaining(lines));
  } finally {
    overlay.remove();
  }
  expect(existsSync(overlay.objectsFolder)).toBe(false);
});
