import js from '@eslint/js';
import n from 'eslint-plugin-n';
import tseslint from 'typescript-eslint';

/**
 * One entry per room and what it may not import: data flows discovery -> probing -> results -> api -> cli.
 *
 * @param {string[]} files
 * @param {string[]} group
 * @param {string} message
 * @returns {import('typescript-eslint').ConfigArray[number]}
 */
const boundary = (files, group, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
});

const agentRooms = [
  'cluster',
  'commands',
  'config',
  'diagnosis',
  'discovery',
  'exchange',
  'model',
  'platform',
  'probing',
  'reports',
  'results',
  'selfcheck',
  'serving',
];

/**
 * Every room of the agent but those given: what a room may not import. The agent's own wiring and the CLI
 * are out of reach for all of them.
 *
 * @param {string[]} allowed
 */
const rooms = (...allowed) => [
  '**/cli/**',
  '**/agent.js',
  ...agentRooms
    .filter((room) => !allowed.includes(room))
    .flatMap((room) => [`../${room}/**`, `../../${room}/**`, `../../../${room}/**`]),
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    plugins: { n },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'n/prefer-node-protocol': 'error',
      'n/no-process-exit': 'error',
      'no-console': 'error',
    },
  },
  boundary(
    ['api/**'],
    ['**/agent/**', '**/cli/**'],
    'api is the contract: it imports neither side',
  ),
  boundary(['cli/**'], ['**/agent/**'], 'the CLI knows the agent only through api'),
  boundary(['agent/**'], ['**/cli/**'], 'the agent does not know its readers'),
  boundary(
    ['agent/platform/**'],
    [...rooms('platform', 'model'), '**/api/routes/**'],
    'platform knows nothing of what the agent does',
  ),
  boundary(['agent/model/**'], rooms('model'), 'the model imports nothing'),
  boundary(
    ['agent/discovery/**'],
    rooms('discovery', 'platform', 'model'),
    'discovery says who is in the cluster and knows nothing of what is done with it',
  ),
  boundary(
    ['agent/config/**'],
    rooms('config', 'discovery', 'platform', 'model', 'probing'),
    'the configuration is read before anything runs',
  ),
  boundary(
    ['agent/probing/**'],
    [...rooms('probing', 'platform', 'model'), '**/api/routes/**', 'hono'],
    'probing gives samples and knows nothing of what becomes of them',
  ),
  boundary(
    ['agent/results/**'],
    [...rooms('results', 'platform', 'model'), 'node:net', 'node:http', 'undici', 'hono'],
    'results know nothing of sockets',
  ),
  boundary(
    ['agent/reports/**'],
    [
      ...rooms('reports', 'results', 'platform', 'model', 'probing', 'exchange', 'diagnosis'),
      'node:net',
      'node:http',
      'undici',
    ],
    'reports write bodies and serve nothing',
  ),
  boundary(
    ['agent/diagnosis/**'],
    [...rooms('diagnosis', 'model'), 'node:net', 'node:http', 'undici', 'hono'],
    'diagnosis is a pure function of the model',
  ),
  boundary(
    ['agent/cluster/**'],
    [
      ...rooms('cluster', 'diagnosis', 'reports', 'results', 'platform', 'model'),
      'node:net',
      'undici',
    ],
    'the cluster is made of rows and results, wherever they come from',
  ),
  boundary(
    ['agent/exchange/**'],
    [...rooms('exchange', 'platform', 'model'), 'hono'],
    'the exchange knows rows and hints, not where they come from',
  ),
  {
    files: [
      'agent/main.ts',
      'agent/platform/run-until-signal.ts',
      'cli/main.ts',
      'scripts/**',
      'test/**',
    ],
    rules: { 'no-console': 'off', 'n/no-process-exit': 'off' },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
