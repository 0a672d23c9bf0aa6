// How a call or an event of the contract is declared: once, as a value. Arguments are checked by schema at the
// engine's border; result and payload types are carried by the declaration so that nothing is declared twice.

import type { z } from 'zod';

/** A call as a value: its name, what checks its arguments, and its result as a type. */
export interface CallDefinition<Name extends string = string, Args = unknown, Result = unknown> {
  readonly name: Name;
  readonly args: z.ZodType<Args>;
  /** Type carrier only; never present at run time. */
  readonly result?: Result;
}

/** An event as a value: its name, and its payload as a type. */
export interface EventDefinition<Name extends string = string, Payload = unknown> {
  readonly name: Name;
  /** Type carrier only; never present at run time. */
  readonly payload?: Payload;
}

/** `defineCall('noun/verb', schema)<Result>()` */
export function defineCall<Name extends string, Args>(
  name: Name,
  args: z.ZodType<Args>,
): <Result>() => CallDefinition<Name, Args, Result> {
  return () => ({ name, args });
}

/** `defineEvent('noun/changed')<Payload>()` */
export function defineEvent<Name extends string>(name: Name): <Payload>() => EventDefinition<Name, Payload> {
  return () => ({ name });
}

/** The payload of an event's definition. */
export type PayloadOf<E> = E extends EventDefinition<string, infer P> ? P : never;
/** The arguments of a call's definition. */
export type ArgsOf<C> = C extends CallDefinition<string, infer A, unknown> ? A : never;
/** The result of a call's definition. */
export type ResultOf<C> = C extends CallDefinition<string, unknown, infer R> ? R : never;
