// What a class of attacks is. An input is made from the seed, the name of its class and its number alone, so that any of
// them can be made again: `npm run attack -- --seed=S --only=CLASS --first=N --inputs=1`.

import type { Random } from '../../src-main/testing/http-fuzz.ts';
import type { Victim } from './victim.ts';

/** One class, from making an input to sending it. */
export interface AttackClass<Input = unknown> {
  readonly name: string;
  /** One clause for the report. */
  readonly sends: string;
  /** How many inputs a whole run has. */
  readonly inputs: number;
  /** Inputs on the way at a time. */
  readonly width: number;
  /** An input that is not through by then hangs; default 5000. */
  readonly limitMs?: number;
  /** Before the first input; what it resolves with is called after the last one. */
  prepare?(victim: Victim): Promise<() => Promise<void>>;
  /** Takes nothing but its arguments. */
  make(random: Random, index: number): Input;
  /** Resolves with what was wrong about the answer; undefined = nothing. */
  send(input: Input, victim: Victim, index: number): Promise<string | undefined>;
  /** After the last input: what is wrong about the state it left. */
  judge?(victim: Victim): Promise<string | undefined>;
}

/** For lists of classes with inputs of their own kinds each. */
export function attackClass<Input>(definition: AttackClass<Input>): AttackClass {
  return definition as AttackClass;
}
