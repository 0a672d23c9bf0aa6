// One JSON value, read as it comes and written as Python's json.dumps writes it: a blank behind each comma and colon, none
// elsewhere. Clients of the reference see that form, and join the pieces. Numbers stay as they were written.

const WHITESPACE: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const WORD = /[\w+.-]/;
const WHOLE_WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const LONGEST_WORD = 1024;
const HEX = /^[0-9a-fA-F]$/;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};
const SHORT: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' },
};

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

/** Reads one value. Each unit of UTF-16 is looked at once. */
export class ValueFormatter {
  readonly #escapesNonAscii: boolean;
  readonly #open: ('{' | '[')[] = [];
  #expected: Expected = 'value';
  /** A number or a literal, as far as it is there. */
  #word = '';
  #isInString = false;
  /** An escape of a string, as far as it is there; "" = none. */
  #escape = '';
  #isDone = false;
  #isBroken = false;
  #hasTaken = true;

  /** `escapesNonAscii`: letters beyond ASCII leave as `\uXXXX`. */
  constructor(escapesNonAscii: boolean) {
    this.#escapesNonAscii = escapesNonAscii;
  }

  /** The value is whole; nothing may be pushed any more. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** What came is no JSON value; what `push` gave before is of no use then. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The last unit belonged to the value; a number ends only with what is behind it. */
  get hasTaken(): boolean {
    return this.#hasTaken;
  }

  /** The next unit; returns what can be written of it already. */
  push(unit: string): string {
    if (this.#isInString) return this.#inString(unit);
    if (this.#word === '') return this.#structure(unit);
    if (WORD.test(unit)) {
      this.#word += unit;
      if (this.#word.length > LONGEST_WORD) this.#isBroken = true;
      return '';
    }
    const word = this.#word;
    this.#word = '';
    if (!WHOLE_WORD.test(word)) return this.#break();
    this.#endValue();
    if (!this.#isDone) return word + this.#structure(unit);
    this.#hasTaken = false;
    return word;
  }

  #structure(unit: string): string {
    if (WHITESPACE.has(unit)) return '';
    const expected = this.#expected;
    switch (unit) {
      case '{':
      case '[':
        if (!expected.startsWith('value')) return this.#break();
        this.#open.push(unit);
        this.#expected = unit === '{' ? 'key-or-end' : 'value-or-end';
        return unit;
      case '}':
      case ']':
        return this.#close(unit);
      case ',':
        if (expected !== 'comma-or-end') return this.#break();
        this.#expected = this.#open.at(-1) === '{' ? 'key' : 'value';
        return ', ';
      case ':':
        if (expected !== 'colon') return this.#break();
        this.#expected = 'value';
        return ': ';
      case '"':
        if (expected === 'colon' || expected === 'comma-or-end') return this.#break();
        this.#isInString = true;
        return '"';
      default:
        if (!expected.startsWith('value') || !WORD.test(unit)) return this.#break();
        this.#word = unit;
        return '';
    }
  }

  #close(unit: '}' | ']'): string {
    const isOurs = this.#open.at(-1) === (unit === '}' ? '{' : '[');
    const isEmpty = this.#expected === (unit === '}' ? 'key-or-end' : 'value-or-end');
    if (!isOurs || !(isEmpty || this.#expected === 'comma-or-end')) return this.#break();
    this.#open.pop();
    this.#endValue();
    return unit;
  }

  #inString(unit: string): string {
    if (this.#escape !== '') return this.#inEscape(unit);
    if (unit === '\\') {
      this.#escape = unit;
      return '';
    }
    if (unit < ' ') return this.#break();
    if (unit !== '"') return this.#written(unit);
    this.#isInString = false;
    if (this.#expected.startsWith('key')) this.#expected = 'colon';
    else this.#endValue();
    return '"';
  }

  #inEscape(unit: string): string {
    const escape = this.#escape + unit;
    if (escape === '\\u' || (escape.length < 6 && escape.startsWith('\\u') && HEX.test(unit))) {
      this.#escape = escape;
      return '';
    }
    this.#escape = '';
    if (escape.length === 6 && HEX.test(unit)) {
      return this.#written(String.fromCharCode(Number.parseInt(escape.slice(2), 16)));
    }
    const meant = escape.length === 2 ? ESCAPES[unit] : undefined;
    return meant === undefined ? this.#break() : this.#written(meant);
  }

  /** A unit of a string as json.dumps writes it. */
  #written(unit: string): string {
    const short = SHORT[unit];
    if (short !== undefined) return short;
    const isPlain = this.#escapesNonAscii ? unit >= ' ' && unit <= '~' : unit >= ' ';
    return isPlain ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }

  #endValue(): void {
    this.#expected = 'comma-or-end';
    this.#isDone = this.#open.length === 0;
  }

  #break(): string {
    this.#isBroken = true;
    return '';
  }
}
