// Lint rules. The bugs to fear here are lost promises and forgotten switch cases, so the rules know the types.
import { defineConfig } from 'oxlint';

const noTimers = ['setTimeout', 'setInterval'].map((name) => ({
  name,
  message: 'Waiting goes through Clock, so that tests can move time by hand.',
}));

const noNode = { group: ['node:*'], message: 'src-shared runs anywhere: no Node.' };

// Where a call is made for every request, row or pixel, and an object for its arguments would cost; and tables and C
// functions, whose arguments are columns.
const positional = [
  'src-main/protocol/**',
  'src-main/http2/**',
  'src-main/wire-threads/**',
  'src-main/scheduling/**',
  'src-main/inference/statistics-collector.ts',
  'src-main/tensor/number-runs.ts',
  'src-main/backends/{onnxruntime,python-host,javascript}/**',
  'src-renderer/features/traces/timeline-paint.ts',
  'src-shared/config/schema/field-types.ts',
];

export default defineConfig({
  ignorePatterns: ['out', 'dist', 'dist-*', '**/*.generated.*', 'bin', '.cache', 'resources', 'docs'],
  plugins: ['eslint', 'typescript', 'react'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'no-case-declarations': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'preserve-caught-error': 'error',
    'max-lines': ['error', { max: 350 }],
    'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    // What these find here is right as it is: plain functions in objects, texts of unknown values, sorted texts, tests
    // that end with an error when a value is missing, and a virtual list that React's compiler leaves alone.
    'typescript/unbound-method': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/await-thenable': 'off',
    'no-unsafe-optional-chaining': 'off',
    'no-useless-assignment': 'off',
    'react/incompatible-library': 'off',
  },
  overrides: [
    {
      // More arguments than four belong into one named value.
      files: ['src-*/**/*.{ts,tsx}'],
      excludeFiles: ['**/*.test.{ts,tsx}', '**/testing/**', ...positional],
      rules: { 'max-params': ['error', { max: 4 }] },
    },
    {
      files: ['src-main/**/*.ts'],
      excludeFiles: ['**/*.test.ts', 'src-main/base/clock.ts'],
      rules: { 'no-restricted-globals': ['error', ...noTimers] },
    },
    {
      files: ['src-renderer/**/*.{ts,tsx}'],
      rules: {
        'react/rules-of-hooks': 'error',
        'max-lines-per-function': ['error', { max: 120, skipComments: true, skipBlankLines: true }],
      },
    },
    {
      files: ['src-shared/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'no-restricted-imports': ['error', { patterns: [noNode] }],
        'no-restricted-globals': ['error', 'process', 'Buffer', 'window', 'document'],
      },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', 'tests/**', 'e2e/**', 'src-main/testing/**'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: ['tools/**', 'bench/**', 'src-main/cli/**', 'src-main/shell/headless/**', 'e2e/**'],
      rules: { 'no-console': 'off' },
    },
  ],
});
