// `npm run manifests`: writes the files of deploy/ that repeat others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestCopies } from './manifest-copies.js';
import { root } from './sources.js';

for (const [path, contents] of Object.entries(manifestCopies())) {
  writeFileSync(join(root, path), contents);
}
