// The table of options as a whole: each is declared once, and what it says in one form it says in the others.

import { describe, expect, test } from 'vitest';

import type { SettingDefinition, SettingValue } from '../../src-shared/contract/setting-definition.ts';
import { defaultEngineOptions } from './engine-options.ts';
import type { EngineOptions } from './engine-options.ts';
import { importCommand } from './import-command.ts';
import { applySettings, OPTION_SETTINGS } from './option-settings.ts';
import { SERVER_OPTIONS } from './option-table.ts';
import { tritonCommand } from './print-command.ts';
import { settingFault } from './setting-definition.ts';

/** A value that is not the default. */
function otherValue({ key, kind, choices, defaultValue, max = 1e9, words }: SettingDefinition): SettingValue {
  if (kind === 'boolean') return defaultValue !== true;
  if (kind === 'number') return Math.min(max, Number(defaultValue) + 3);
  // The default of the window's control mode is not the one of the engine.
  if (kind === 'choice') return choices.findLast((choice) => choice !== defaultValue) ?? '';
  return words?.[1] ?? (key === 'server.allowOrigins' ? 'https://a.example' : 'other');
}

function engineWith(key: string, value: SettingValue): EngineOptions {
  // Some settings count in one mode only.
  const mode = { 'server.pollSecs': 'poll', 'server.loadAtStart': 'explicit' }[key];
  const values: Record<string, SettingValue> = {
    ...(mode === undefined ? {} : { 'server.controlMode': mode }),
    [key]: value,
  };
  return applySettings(defaultEngineOptions, new Set(), {
    get: (wanted) => values[wanted] ?? '',
    isChanged: (wanted) => wanted in values,
  });
}

const OURS = new Set([
  'server.allowOrigins',
  'server.gpuPolicy',
  'server.openaiPort',
  'server.openaiTokenizer',
]);

describe('a setting', () => {
  test.each(OPTION_SETTINGS.map((setting) => [setting.key, setting] as const))(
    '%s reaches the engine, is printed as an option and read again',
    (key, setting) => {
      const value = otherValue(setting);
      expect(settingFault(setting, value)).toBeUndefined();
      const engine = engineWith(key, value);
      expect(engine).not.toEqual(defaultEngineOptions);
      if (OURS.has(key)) return;
      const command = tritonCommand(engine, { repositories: ['/m'] });
      expect(importCommand(command).changes).toMatchObject({ [key]: value });
    },
  );

  test('has one key and one place on the screen', () => {
    const keys = OPTION_SETTINGS.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect([...new Set(OPTION_SETTINGS.map(({ group, section }) => `${group}/${section ?? ''}`))]).toEqual([
      'Server/Endpoints',
      'Server/Models',
      'Experimental/',
      'Server/Running models',
      'Server/gRPC connections',
      'Server/Metrics',
      'Server/Tracing',
      'Logs/',
    ]);
  });
});

test('each option stands once, and says what it does in a sentence', () => {
  const names = SERVER_OPTIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, help } of SERVER_OPTIONS) expect(help, name).toMatch(/^["A-Z].*[.]$/);
});

test('the defaults are no command line at all', () => {
  expect(tritonCommand(defaultEngineOptions, { repositories: [] })).toBe('tritonserver');
});
