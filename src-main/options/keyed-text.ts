// `[<scope>,]<setting>=<value>`, the language of the options that take many settings, with the reference's refusals.

import { UsageError } from './usage-error.ts';

/** A value of the form `[<scope>,]<key>=<value>`, taken apart. */
export interface KeyedText {
  /** "" = none, which means all of them where there could be one. */
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** Which of the forms of `[<scope>,]<key>=<value>` an option takes, and how its faults are worded. */
export interface KeyedForm {
  /** Without the dashes. */
  readonly option: string;
  readonly scope: 'none' | 'optional' | 'required';
  /** The scope as the form names it: "backend name". */
  readonly scopeName?: string;
  /** The only scopes there are, in any case. A comma then always ends one. */
  readonly scopes?: readonly string[];
  /** The scope in "No <noun> specified."; undefined = the form alone is printed. */
  readonly noun?: string;
}

/** Throws UsageError where a part is missing or empty. */
export function parseKeyed(text: string, form: KeyedForm): KeyedText {
  const firstEquals = text.indexOf('=');
  const comma = text.indexOf(',');
  const isScoped = comma >= 0 && (form.scopes !== undefined || firstEquals < 0 || comma < firstEquals);
  const written = isScoped ? text.slice(0, comma) : '';
  const scope = form.scopes === undefined ? written : written.toLowerCase();
  if (scope !== '' && form.scopes?.includes(scope) === false) throw scopeUnknown(scope, form);
  if (isScoped ? scope === '' : form.scope === 'required') throw scopeMissing(text, form);
  const start = isScoped ? comma + 1 : 0;
  const equals = text.indexOf('=', start);
  const key = text.slice(start, Math.max(start, equals));
  const value = text.slice(equals + 1);
  if (equals < 0 || key === '' || value === '' || (isScoped && form.scope === 'none')) {
    throw new UsageError(`${wholeForm(form)}. Got ${text}`);
  }
  return { scope, key, value };
}

/** The text that reads as these parts. */
export function printKeyed({ scope, key, value }: KeyedText): string {
  return `${scope === '' ? '' : `${scope},`}${key}=${value}`;
}

function wholeForm({ option, scope, scopeName }: KeyedForm): string {
  if (scope === 'none') return `--${option} option format is <setting>=<value>`;
  return `--${option} option format is '<${scopeName}>,<setting>=<value>'`;
}

function scopeUnknown(scope: string, { noun, scopes = [] }: KeyedForm): UsageError {
  const names = scopes.map((name) => `"${name}"`).join(' and ');
  return new UsageError(`invalid value for ${noun} option: ${scope}. Available options are ${names}`);
}

function scopeMissing(text: string, form: KeyedForm): UsageError {
  const { option, scope, scopeName, noun } = form;
  if (noun === undefined) return new UsageError(`${wholeForm(form)}. Got ${text}`);
  const without = scope === 'optional' ? ' or <setting>=<value>' : '';
  return new UsageError(
    `No ${noun} specified. --${option} option format is <${scopeName}>,<setting>=<value>${without}. Got ${text}`,
  );
}
