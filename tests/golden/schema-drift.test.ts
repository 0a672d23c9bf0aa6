// The schema of the configuration language against the facts of the protocol: every message, field, number, type and
// oneof, in order; every enumeration with its values; and which 64-bit integers are texts in JSON.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EnumSchema, FieldSchema, MessageSchema, TypeSchema } from '../../src-shared/config/schema/field-types.ts';
import { MODEL_CONFIG } from '../../src-shared/config/schema/model-fields.ts';

const FACTS = readFileSync(path.join(import.meta.dirname, 'model-config-facts.txt'), 'utf8');

/** Blocks of the facts: heading -> the lines below it. */
const facts = new Map(
  FACTS.split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .filter((lines) => lines.length > 0)
    .map(([heading = '', ...lines]) => [heading, lines.map((line) => line.trim())]),
);

const nameOf = (type: TypeSchema): string =>
  type.kind === 'scalar' ? type.scalar : type.typeName.replace(/^inference\./, '');

function collect(type: TypeSchema, found = new Set<EnumSchema | MessageSchema>()): Set<EnumSchema | MessageSchema> {
  if (type.kind === 'scalar' || found.has(type)) return found;
  found.add(type);
  if (type.kind === 'message') for (const field of type.fields) collect(field.type, found);
  return found;
}

function fieldLine(field: FieldSchema): string {
  const value = nameOf(field.type);
  const type = field.label === 'map' ? `map<${field.keyType},${value}>` : value;
  const label = field.label === 'repeated' ? 'repeated ' : '';
  return `${field.name} ${field.number} ${label}${type}${field.oneof === undefined ? '' : ` oneof ${field.oneof}`}`;
}

const declared = new Map(
  [...collect(MODEL_CONFIG)].map((type) => [
    `${type.kind} ${nameOf(type)}`,
    type.kind === 'enum' ? type.values.map(({ name, number }) => `${name} ${number}`) : type.fields.map(fieldLine),
  ]),
);

describe('the schema of a configuration', () => {
  test('has the messages and enumerations of the protocol, and no others', () => {
    expect([...declared.keys()].toSorted()).toEqual([...facts.keys()].toSorted());
  });

  test.each([...facts.keys()])('%s is as in the protocol', (heading) => {
    expect(declared.get(heading)).toEqual(facts.get(heading));
  });

  test('prints as texts in JSON exactly the integers that the reference leaves as texts', () => {
    const texts = [...collect(MODEL_CONFIG)].flatMap((type) =>
      type.kind === 'message'
        ? type.fields.filter((field) => field.isJsonString).map((field) => `${nameOf(type)}.${field.name}`)
        : [],
    );
    expect(texts.toSorted()).toEqual([
      'ModelInstanceGroup.SecondaryDevice.device_id',
      'ModelOptimizationPolicy.Cuda.GraphSpec.Shape.dim',
      'ModelSequenceBatching.InitialState.dims',
    ]);
  });

  test('tells every field and value what it means', () => {
    const silent = [...collect(MODEL_CONFIG)].flatMap((type) =>
      (type.kind === 'enum' ? type.values : type.fields)
        .filter(({ name, doc }) => doc.trim() === '' || doc === name)
        .map(({ name }) => `${nameOf(type)}.${name}`),
    );
    expect(silent).toEqual([]);
  });
});
