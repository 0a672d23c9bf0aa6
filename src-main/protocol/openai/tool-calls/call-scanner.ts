// Reads calls of tools in a model's text as it comes: JSON objects with a `name` and `arguments` (or `parameters`). The
// arguments leave as far as they are there. Each unit of the text is looked at once.

import { ValueFormatter } from './value-formatter.ts';

/** How a family of models writes its calls. */
export interface CallNotation {
  /** What may stand in front of, between and behind calls. */
  readonly between: string;
  /** Letters beyond ASCII leave as `\uXXXX`. */
  readonly escapesNonAscii: boolean;
}

/** Hears of calls in their order. `index` counts from 0. */
export interface CallListener {
  /** Once for each call, in front of its arguments. */
  named(index: number, name: string): void;
  /** The next piece of a call's arguments. */
  argued(index: number, text: string): void;
}

type State = 'between' | 'key-or-end' | 'key' | 'in-key' | 'colon' | 'value' | 'comma-or-end' | 'broken';

const ARGUMENT_KEYS: ReadonlySet<string> = new Set(['arguments', 'parameters']);

/** Reads one text. What is no call breaks it, and nothing is heard from then on. */
export class CallScanner {
  readonly #notation: CallNotation;
  readonly #listener: CallListener;
  #state: State = 'between';
  #index = -1;
  /** Of the call that is being read; undefined = not there yet. */
  #name: string | undefined;
  #hasArguments = false;
  /** Arguments that came before the name did. */
  #early = '';
  #key = '';
  #value = new ValueFormatter(false);
  /** The key or the name, as far as it is there. */
  #text = '';
  #areWhole = true;
  /** Arguments of one push, sent together. */
  #piece = '';

  constructor(notation: CallNotation, listener: CallListener) {
    this.#notation = notation;
    this.#listener = listener;
  }

  /** The text so far is a list of at least one call, each with a name and arguments, and nothing else. */
  get isComplete(): boolean {
    return this.#state === 'between' && this.#areWhole && this.#index >= 0;
  }

  /** The next piece of text, cut anywhere. The listener is called inside; nothing happens once it is broken. */
  push(text: string): void {
    for (let at = 0; at < text.length && this.#state !== 'broken'; at++) this.#read(text.charAt(at));
    this.#flush();
  }

  #read(unit: string): void {
    switch (this.#state) {
      case 'between':
        if (unit === '{') this.#begin();
        else if (!this.#notation.between.includes(unit) && unit.trim() !== '') this.#state = 'broken';
        break;
      case 'in-key':
        this.#text += this.#value.push(unit);
        if (this.#value.isBroken) this.#state = 'broken';
        else if (this.#value.isDone) {
          this.#key = JSON.parse(this.#text) as string;
          this.#state = 'colon';
        }
        break;
      case 'value':
        this.#readValue(unit);
        break;
      default:
        if (unit.trim() !== '') this.#step(unit);
    }
  }

  #begin(): void {
    this.#index += 1;
    this.#name = undefined;
    this.#hasArguments = false;
    this.#early = '';
    this.#state = 'key-or-end';
  }

  #step(unit: string): void {
    const state = this.#state;
    if (unit === '"' && state.startsWith('key')) {
      this.#value = new ValueFormatter(false);
      this.#text = this.#value.push(unit);
      this.#state = 'in-key';
    } else if (unit === ':' && state === 'colon') {
      this.#value = new ValueFormatter(this.#key !== 'name' && this.#notation.escapesNonAscii);
      this.#text = '';
      this.#state = 'value';
    } else if (unit === ',' && state === 'comma-or-end') this.#state = 'key';
    else if (unit === '}' && state.endsWith('-or-end')) this.#end();
    else this.#state = 'broken';
  }

  #readValue(unit: string): void {
    const piece = this.#value.push(unit);
    if (this.#value.isBroken) {
      this.#state = 'broken';
      return;
    }
    const isArgument = ARGUMENT_KEYS.has(this.#key) && !this.#hasArguments;
    if (this.#key === 'name' && this.#name === undefined) this.#text += piece;
    else if (isArgument && this.#name === undefined) this.#early += piece;
    else if (isArgument) this.#piece += piece;
    if (!this.#value.isDone) return;
    this.#state = 'comma-or-end';
    if (isArgument) this.#hasArguments = true;
    else if (this.#text !== '') this.#setName(JSON.parse(this.#text));
    if (!this.#value.hasTaken) this.#read(unit);
  }

  #setName(name: unknown): void {
    if (typeof name !== 'string') {
      this.#state = 'broken';
      return;
    }
    this.#name = name;
    this.#text = '';
    this.#listener.named(this.#index, name);
    this.#piece = this.#early;
  }

  #end(): void {
    this.#areWhole &&= this.#name !== undefined && this.#hasArguments;
    this.#flush();
    this.#state = 'between';
  }

  #flush(): void {
    if (this.#piece !== '') this.#listener.argued(this.#index, this.#piece);
    this.#piece = '';
  }
}
