// What an ONNX file says of its licence and its origin, by the names that exporters and model zoos use. Pure.

const LICENCE = /^(model[._ -]?)?licen[cs]e([._ -]?(name|id|type))?$/i;
const ORIGIN =
  /^(model[._ -]?)?(author|authors|organization|vendor|source|url|homepage|version|date|description|task)$/i;

/** undefined when it says nothing. */
export function licenceIn(metadata: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(metadata).find(([key, value]) => LICENCE.test(key) && value.trim() !== '');
  return found?.[1].trim();
}

const MAX_ENTRIES = 6;
const MAX_LENGTH = 160;

/** Who made it and what for, as far as the file tells; long texts are cut. */
export function originIn(
  metadata: Readonly<Record<string, string>>,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(metadata)
    .filter(([key, value]) => ORIGIN.test(key) && value.trim() !== '')
    .slice(0, MAX_ENTRIES)
    .map(([key, value]) => [key, value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value]);
}
