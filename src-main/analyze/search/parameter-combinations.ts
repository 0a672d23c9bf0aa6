// Values to try, as the user listed them, become every combination of one value each. A list is a list of values to try
// where the field holds one value; where it holds several, only a list of lists is, since a plain list is the value.

import type { FieldSchema, MessageSchema } from '../../../src-shared/config/schema/field-types.ts';
import { MODEL_CONFIG } from '../../../src-shared/config/schema/model-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** In the order of the lists: the last field changes fastest. */
export function combinations(parameters: Fields): readonly Fields[] {
  return ofMessage(parameters, MODEL_CONFIG);
}

function ofMessage(value: Fields, schema: MessageSchema | undefined): Fields[] {
  return Object.entries(value).reduce<Fields[]>(
    (known, [name, given]) => {
      const choices = ofField(given, schema?.byName.get(name));
      return known.flatMap((fields) => choices.map((choice) => ({ ...fields, [name]: choice })));
    },
    [{}],
  );
}

function ofField(given: unknown, field: FieldSchema | undefined): unknown[] {
  const holdsSeveral = field?.label === 'repeated';
  if (Array.isArray(given)) {
    const isChoice = !holdsSeveral || given.some((item) => Array.isArray(item));
    return isChoice ? given.flatMap((item) => ofValue(item, field)) : ofValue(given, field);
  }
  return ofValue(given, field);
}

/** One value of the field, which may have values to try inside. */
function ofValue(value: unknown, field: FieldSchema | undefined): unknown[] {
  const schema = field?.type.kind === 'message' ? field.type : undefined;
  if (Array.isArray(value))
    return value.reduce<unknown[][]>(
      (known, item) => {
        const choices = ofValue(item, field);
        return known.flatMap((items) => choices.map((choice) => [...items, choice]));
      },
      [[]],
    );
  if (typeof value !== 'object' || value === null) return [value];
  if (field?.label !== 'map') return ofMessage(value as Fields, schema);
  return Object.entries(value as Fields).reduce<Fields[]>(
    (known, [key, item]) => {
      const choices = Array.isArray(item)
        ? item.flatMap((one) => ofValue(one, { ...field, label: 'singular' }))
        : ofValue(item, { ...field, label: 'singular' });
      return known.flatMap((entries) => choices.map((choice) => ({ ...entries, [key]: choice })));
    },
    [{}],
  );
}
