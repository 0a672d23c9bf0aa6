// Lint rules. The bugs to fear here are lost promises and forgotten switch cases, so the rules are type-aware.
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const noTimers = ['setTimeout', 'setInterval'].map((name) => ({
  name,
  message: 'Waiting goes through Clock, so that tests can move time by hand.',
}));

export default defineConfig(
  {
    ignores: [
      'node_modules/**',
      'out/**',
      'dist/**',
      '**/*.generated.*',
      'bin/**',
      '.cache/**',
      'resources/**',
      'docs/**',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 350 }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: ['tools/**/*.mjs'], languageOptions: { globals: globals.node } },
  {
    files: ['src-main/**/*.ts'],
    ignores: ['**/*.test.ts', 'src-main/base/clock.ts'],
    rules: { 'no-restricted-globals': ['error', ...noTimers] },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    rules: { 'max-lines-per-function': ['error', { max: 120, skipComments: true, skipBlankLines: true }] },
  },
  {
    files: ['src-shared/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'src-shared runs anywhere: no Node.' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'window', 'document'],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'tests/**', 'e2e/**', 'src-main/testing/**'],
    rules: { 'max-lines': ['error', { max: 500 }], 'max-lines-per-function': 'off' },
  },
  {
    files: ['tools/**', 'bench/**', 'src-main/cli/**', 'src-main/shell/headless/**', 'e2e/**'],
    rules: { 'no-console': 'off' },
  },
);
