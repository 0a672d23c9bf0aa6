// Reads one JSON text from bytes into a light tree: objects and scalars become values, arrays stay spans of the
// text and are decoded later, once the datatype of their elements is known. Exact for 64-bit integers, keeps the
// difference between `1` and `1.0`, accepts NaN and Inf tokens, and never recurses, so nesting depth is harmless.
// Invariant: a document that parsed is syntactically valid everywhere, arrays included.

import { JsonScanner } from './json-scanner.ts';
import { integerValue, JsonDouble, specialValue } from './json-values.ts';
import type { NumberRun } from './number-runs.ts';
import { findNumberRun } from './number-runs.ts';

/** Objects with more members than this are looked up by a table. */
const MAX_SEARCHED = 8;

/** Members in text order; on duplicate names the first one counts. */
export class JsonObject {
  readonly keys: string[] = [];
  readonly values: JsonValue[] = [];
  #table: Map<string, JsonValue> | undefined;

  /** The first member of that name; undefined when absent. */
  get(key: string): JsonValue | undefined {
    const { keys } = this;
    if (keys.length > MAX_SEARCHED) return this.members().get(key);
    for (let i = 0; i < keys.length; i += 1) {
      if (keys[i] === key) return this.values[i];
    }
    return undefined;
  }

  /** Each name once, in text order, with its first value. Only for a document that is complete. */
  members(): ReadonlyMap<string, JsonValue> {
    if (this.#table !== undefined) return this.#table;
    const table = new Map<string, JsonValue>();
    this.keys.forEach((key, i) => {
      if (!table.has(key)) table.set(key, this.values[i] ?? null);
    });
    this.#table = table;
    return table;
  }
}

/** An array as a span of the text. Objects inside it (at any array depth) are parsed, in text order. */
export class JsonArray {
  readonly bytes: Buffer;
  /** Offset of the opening bracket. */
  readonly start: number;
  /** Offset behind the closing bracket. */
  end = 0;
  /** Direct elements. */
  count = 0;
  /** Deepest bracket nesting, 1 = flat. */
  depth = 1;
  /** True when a NaN or Inf token occurs. */
  hasSpecials = false;
  /** True when an element is something else than a number or an array. */
  hasOthers = false;
  /** True when a nested array is empty. */
  hasEmpty = false;
  objects: JsonObject[] | undefined;
  /** Offsets behind each of `objects`. */
  objectEnds: number[] | undefined;

  constructor(bytes: Buffer, start: number) {
    this.bytes = bytes;
    this.start = start;
  }

  /** Direct elements as values. Of nested arrays only the span and the objects are known, not counts and marks. */
  elements(): JsonValue[] {
    return new DocumentReader(this.bytes, this.start, this.end).elementsOf(this);
  }
}

/** number = integer token within 2^53, bigint = integer token within 64 bits beyond that. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | JsonDouble
  | JsonObject
  | JsonArray
  | NumberRun;

/**
 * Parses `bytes[start, end)`. The result keeps views of `bytes`. Throws INTERNAL with the reference's words
 * (`failed to parse the request JSON buffer: <reason> at <offset>`).
 */
export function parseJson(bytes: Buffer, start = 0, end = bytes.length): JsonValue {
  return new DocumentReader(bytes, start, end).document();
}

/**
 * The same, but long lists of numbers are passed over: they are in `runs`, and only when all of them turn out to be what
 * they seem to be is the document valid. Anything else must be parsed again by `parseJson`, for its words too.
 */
export function parseJsonQuickly(bytes: Buffer): { readonly root: JsonValue; readonly runs: NumberRun[] } {
  const runs: NumberRun[] = [];
  return { root: new DocumentReader(bytes, 0, bytes.length, runs).document(), runs };
}

const LBRACE = 0x7b;
const RBRACE = 0x7d;
const LBRACKET = 0x5b;
const RBRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;

/** Members and objects of one document. Numbers and texts in arrays are spans, and not counted. */
const MAX_NODES = 1_000_000;

type Container = JsonObject | JsonArray;

class DocumentReader {
  readonly #scan: JsonScanner;
  /** Nesting of the array being scanned, saved while one of its objects is read. */
  readonly #levels: number[] = [];
  #nodeCount = 0;
  readonly #runs: NumberRun[] | undefined;

  /** `runs` takes lists of numbers that are passed over; undefined = none is. */
  constructor(bytes: Buffer, start: number, end: number, runs?: NumberRun[]) {
    this.#scan = new JsonScanner(bytes, start, end);
    this.#runs = runs;
  }

  document(): JsonValue {
    const scan = this.#scan;
    scan.skipByteOrderMark();
    // A zero byte ends the text, as of clients that send the one behind a string of C.
    if (scan.next() <= 0) throw scan.fault('The document is empty.');
    const value = this.#value();
    if (scan.next() > 0) {
      throw scan.fault('The document root must not be followed by other values.');
    }
    return value;
  }

  elementsOf(array: JsonArray): JsonValue[] {
    const scan = this.#scan;
    const elements: JsonValue[] = [];
    let objectIndex = 0;
    scan.at = array.start + 1;
    for (let c = scan.next(); c !== RBRACKET; c = scan.next()) {
      if (c === COMMA) scan.at += 1;
      else if (c === LBRACE) {
        elements.push(array.objects?.[objectIndex] ?? null);
        scan.at = array.objectEnds?.[objectIndex] ?? array.end;
        objectIndex += 1;
      } else if (c === LBRACKET) {
        const inner = new JsonArray(array.bytes, scan.at);
        const firstObject = objectIndex;
        objectIndex = this.#skipNested(array, objectIndex);
        inner.end = scan.at;
        inner.objects = array.objects?.slice(firstObject, objectIndex);
        inner.objectEnds = array.objectEnds?.slice(firstObject, objectIndex);
        elements.push(inner);
      } else elements.push(this.#scalar(c));
    }
    return elements;
  }

  /** Steps over one nested array of an already valid text; returns the index of the next unread object. */
  #skipNested(array: JsonArray, firstObject: number): number {
    const scan = this.#scan;
    let objectIndex = firstObject;
    let level = 0;
    do {
      const c = scan.next();
      if (c === LBRACKET) level += 1;
      else if (c === RBRACKET) level -= 1;
      if (c === LBRACE) {
        scan.at = array.objectEnds?.[objectIndex] ?? array.end;
        objectIndex += 1;
      } else if (c === LBRACKET || c === RBRACKET || c === COMMA) scan.at += 1;
      else this.#scalar(c);
    } while (level > 0);
    return objectIndex;
  }

  #value(): JsonValue {
    const scan = this.#scan;
    const stack: (Container | undefined)[] = [];
    let top: Container | undefined;
    for (;;) {
      let value: JsonValue;
      const c = scan.next();
      if (c === LBRACE) {
        const object = new JsonObject();
        this.#countNode();
        scan.at += 1;
        if (scan.next() !== RBRACE) {
          stack.push(top);
          top = object;
          this.#key(object);
          continue;
        }
        scan.at += 1;
        value = object;
      } else if (c === LBRACKET && this.#passRun()) {
        value = this.#runs?.at(-1) ?? null;
      } else if (c === LBRACKET) {
        const array = new JsonArray(scan.bytes, scan.at);
        scan.at += 1;
        this.#levels.push(1);
        if (!this.#scanArray(array, true)) {
          stack.push(top);
          top = array;
          continue;
        }
        value = array;
      } else value = this.#scalar(c);

      // The value is complete: hand it to its container, and close containers that end with it.
      let isOpen = false;
      while (top !== undefined && !isOpen) {
        if (top instanceof JsonObject) {
          isOpen = this.#endMember(top, value);
        } else {
          (top.objects ??= []).push(value as JsonObject);
          (top.objectEnds ??= []).push(scan.at);
          isOpen = !this.#scanArray(top, false);
        }
        if (!isOpen) {
          value = top;
          top = stack.pop();
        }
      }
      if (top === undefined) return value;
    }
  }

  /** Steps over the array at the cursor and notes it when it seems to be a long list of numbers. */
  #passRun(): boolean {
    if (this.#runs === undefined) return false;
    const scan = this.#scan;
    const run = findNumberRun(scan.bytes, scan.at + 1, scan.end);
    if (run === undefined) return false;
    this.#runs.push(run);
    scan.at = run.end + 1;
    return true;
  }

  /** Stores a member's value; true when another member follows, whose key has then been read. */
  #endMember(object: JsonObject, value: JsonValue): boolean {
    const scan = this.#scan;
    object.values.push(value);
    const c = scan.next();
    if (c === COMMA) {
      scan.at += 1;
      this.#key(object);
      return true;
    }
    if (c !== RBRACE) throw scan.fault("Missing a comma or '}' after an object member.");
    scan.at += 1;
    return false;
  }

  #key(object: JsonObject): void {
    const scan = this.#scan;
    this.#countNode();
    if (scan.next() !== QUOTE) throw scan.fault('Missing a name for object member.');
    object.keys.push(scan.string());
    if (scan.next() !== COLON) throw scan.fault('Missing a colon after a name of object member.');
    scan.at += 1;
  }

  #countNode(): void {
    this.#nodeCount += 1;
    if (this.#nodeCount > MAX_NODES) throw this.#scan.fault(`More than ${MAX_NODES} objects and members`);
  }

  /** Checks array text up to its end (true) or to an object inside it (false, positioned on its brace). */
  #scanArray(array: JsonArray, isFresh: boolean): boolean {
    const scan = this.#scan;
    let level = this.#levels.pop() ?? 1;
    let isElement = isFresh;
    let mayClose = isFresh;
    for (;;) {
      const c = scan.next();
      if (isElement) {
        if (c === LBRACKET) {
          scan.at += 1;
          if (level === 1) array.count += 1;
          level += 1;
          if (level > array.depth) array.depth = level;
          mayClose = true;
          continue;
        }
        if (c === LBRACE) {
          if (level === 1) array.count += 1;
          array.hasOthers = true;
          this.#levels.push(level);
          return false;
        }
        if (c === RBRACKET && mayClose) array.hasEmpty ||= level > 1;
        else {
          if (level === 1) array.count += 1;
          const kind = scan.skipScalar(c);
          if (kind === 'special') array.hasSpecials = true;
          else if (kind === 'other') array.hasOthers = true;
          isElement = false;
          continue;
        }
      }
      if (c === RBRACKET) {
        scan.at += 1;
        level -= 1;
        if (level === 0) {
          array.end = scan.at;
          return true;
        }
        isElement = false;
      } else if (c === COMMA) {
        scan.at += 1;
        isElement = true;
        mayClose = false;
      } else throw scan.fault("Missing a comma or ']' after an array element.");
    }
  }

  #scalar(c: number): JsonValue {
    const scan = this.#scan;
    if (c === QUOTE) return scan.string();
    const start = scan.at;
    const kind = scan.skipScalar(c);
    if (kind === 'integer') return integerValue(scan.bytes, start, scan.at);
    if (kind === 'other') return c === 0x6e ? null : c === 0x74;
    const text = scan.bytes.toString('latin1', start, scan.at);
    if (kind === 'double') return new JsonDouble(Number(text));
    return new JsonDouble(specialValue(text));
  }
}
