// Properties that hold for any configuration: random ones are drawn from the schema itself.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelConfigToText } from './config-encoder.ts';
import { modelConfigFromJson, modelConfigToJson } from './config-json.ts';
import { normalizeInstanceGroups, normalizeModelConfig } from './config-normalize.ts';
import { validateModelConfig } from './config-validator.ts';
import { asValue, draftMessage, type MessageValue } from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import { parseModelConfig } from './parse-model-config.ts';
import type { FieldSchema, MessageSchema, ScalarName } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import { parseText } from './text-format/parser.ts';
import { printTree } from './text-format/printer.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('A', 'a"b', 'x\\y', '\n', ''),
);

const SCALARS: Readonly<Record<ScalarName, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  uint32: fc.nat(),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  float: fc.double({ noNaN: true }).map((value) => value + 0),
  double: fc.double({ noNaN: true }).map((value) => value + 0),
};

function single(field: FieldSchema, depth: number): fc.Arbitrary<unknown> {
  const { type } = field;
  if (type.kind === 'scalar') return SCALARS[type.scalar];
  if (type.kind === 'enum') return fc.constantFrom(...type.values.map((value) => value.name));
  return messageArbitrary(type, depth + 1);
}

function fieldArbitrary(field: FieldSchema, depth: number): fc.Arbitrary<unknown> {
  const value = single(field, depth);
  if (field.label === 'repeated') return fc.array(value, { maxLength: 2 });
  if (field.label === 'singular') return value;
  const key = field.keyType === 'uint64' ? fc.nat().map(String) : text;
  return fc.dictionary(key, value, { maxKeys: 2, noNullPrototype: true });
}

/** A few fields of a message set, at most one member of each oneof. */
function messageArbitrary<Schema extends MessageSchema>(
  schema: Schema,
  depth: number,
): fc.Arbitrary<MessageValue<Schema>> {
  if (schema.fields.length === 0) return fc.constant(asValue({}, schema));
  return fc
    .subarray([...schema.fields], { maxLength: Math.min(schema.fields.length, depth === 0 ? 12 : 3) })
    .chain((fields) => {
      const seen = new Set<string>();
      const chosen = fields.filter((field) => {
        const group = field.oneof ?? field.name;
        return !seen.has(group) && seen.add(group);
      });
      const members = chosen.map((field) =>
        fieldArbitrary(field, depth).map((value) => [field.property, value]),
      );
      return fc.tuple(...members);
    })
    .map((entries) => {
      const values = Object.fromEntries(entries) as Record<string, unknown>;
      return asValue({ ...draftMessage(schema), ...values }, schema);
    });
}

const arbitraryConfig: fc.Arbitrary<ModelConfig> = messageArbitrary(MODEL_CONFIG, 0);

const RUNS = { numRuns: 150 };

describe('any configuration', () => {
  test('survives being written as text', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const parsed = parseModelConfig(modelConfigToText(config));
        expect(parsed.issues).toEqual([]);
        expect(parsed.config).toEqual(config);
      }),
      RUNS,
    );
  });

  test('survives being written as JSON', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        expect(modelConfigFromJson(modelConfigToJson(config))).toEqual({ config, issues: [] });
      }),
      RUNS,
    );
  });

  test('prints in a layout that printing again does not change', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const text = modelConfigToText(config);
        const printed = printTree(parseText(text));
        expect(printed).toBeDefined();
        expect(parseModelConfig(printed ?? '').config).toEqual(config);
        expect(printTree(parseText(printed ?? ''))).toBe(printed);
      }),
      RUNS,
    );
  });

  test('is normalised once and for all, and can be validated without a throw', () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const machine = { gpuInventory: [{ id: 0 }] };
        const once = normalizeInstanceGroups(normalizeModelConfig(config).config, {
          gpuInventory: machine.gpuInventory,
        }).config;
        expect(normalizeInstanceGroups(normalizeModelConfig(once).config, machine).config).toEqual(once);
        expect(Array.isArray(validateModelConfig(once, machine))).toBe(true);
      }),
      RUNS,
    );
  });
});
