import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { listen, portOf } from '../resources/listen.js';

/** A registry on loopback that has the packages of one node_modules folder, and nothing else. */
export interface NpmRegistry {
  readonly url: string;
  /** The names that were asked for, in turn. */
  readonly asked: readonly string[];
  close(): void;
}

/**
 * Serves the named packages as a registry does: what there is of a package as JSON, and the package
 * itself as a tarball. Any other name is a 404.
 */
export async function startNpmRegistry(
  modules: string,
  names: readonly string[],
): Promise<NpmRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1));
    const name = path.replace(/\.tgz$/, '');
    if (!names.includes(name)) {
      asked.push(name);
      response.writeHead(404).end('{}');
    } else if (path.endsWith('.tgz')) {
      response.end(tarball(join(modules, name)));
    } else {
      asked.push(name);
      response.end(JSON.stringify(describe(modules, name, urlOf(server))));
    }
  });
  await listen(server);
  return {
    url: urlOf(server),
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${portOf(server)}/`;
}

function describe(modules: string, name: string, url: string): object {
  const text = readFileSync(join(modules, name, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as { version: string };
  const dist = { tarball: `${url}${encodeURIComponent(name)}.tgz` };
  return {
    name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}

function tarball(folder: string): Buffer {
  const args = ['-czhf', '-', '-C', dirname(folder), folder.slice(dirname(folder).length + 1)];
  return execFileSync('tar', args, { maxBuffer: 256 << 20 });
}
