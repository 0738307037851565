import { expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';
import { createFolderHider, localPaths } from '../../../../agent/config/local-paths.js';

test('the folders of all files that the agent was told of are hidden', () => {
  const config = loadConfig(
    {
      'node-name': 'n1',
      'nodes-file': '/srv/secret/nodes.yaml',
      'targets-file': '/srv/secret/nodes.yaml.d/targets.yaml',
      'socket-path': '/run/x/health.sock',
      'notify-file': 'relative.yaml',
    },
    {},
  );
  const hide = createFolderHider(localPaths(config));
  expect(
    hide(
      "nodes file /srv/secret/nodes.yaml: ENOENT, open '/srv/secret/nodes.yaml'; /srv/secret/nodes.yaml.d/targets.yaml",
    ),
  ).toBe("nodes file nodes.yaml: ENOENT, open 'nodes.yaml'; targets.yaml");
  expect(hide('/run/x/health.sock, /run/x/state: no room')).toBe('health.sock, state: no room');
  expect(hide('relative.yaml: GET https://192.0.2.1:6443/api/v1/nodes: 503')).toBe(
    'relative.yaml: GET https://192.0.2.1:6443/api/v1/nodes: 503',
  );
});

test('a folder that is the root is not taken for the beginning of all paths', () => {
  expect(createFolderHider(['/', '/etc/'])('GET /api/v1/nodes')).toBe('GET /api/v1/nodes');
});
