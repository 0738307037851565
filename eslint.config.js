import js from '@eslint/js';
import n from 'eslint-plugin-n';
import tseslint from 'typescript-eslint';
import { folders, forbiddenImports, roomsOf } from './scripts/boundaries.js';

/**
 * What some files may not import: data flows discovery -> probing -> results -> api -> cli.
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
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(ImportDeclaration, ImportExpression)[source.value=/^undici./]',
          message: 'undici has a public API, and its inner files change',
        },
      ],
    },
  },
  boundary(
    ['api/**'],
    ['**/agent/**', '**/cli/**'],
    'api is the contract: it imports neither side',
  ),
  boundary(['cli/**'], ['**/agent/**'], 'the CLI knows the agent only through api'),
  boundary(['agent/**'], ['**/cli/**'], 'the agent does not know its readers'),
  ...folders
    .filter(({ imports }) => imports !== 'everything')
    .map((folder) =>
      boundary([`agent/${folder.name}/**`], forbiddenImports(folder), folder.because ?? ''),
    ),
  // These replace what the folder's rule says of the same files, so they come after it.
  ...folders.flatMap(roomsOf).map(({ files, group, message }) => boundary(files, group, message)),
  {
    files: [
      'agent/main.ts',
      'agent/platform/run-until-signal.ts',
      'cli/main.ts',
      'cli/kubectl/main.ts',
      'scripts/**',
      'test/**',
    ],
    rules: { 'no-console': 'off', 'n/no-process-exit': 'off' },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
