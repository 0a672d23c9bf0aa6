// An ensemble that does not load because of a model that it is made of: which one that is, and what is wrong with it. Pure.

/** What the reason of an ensemble says about one of its models. */
export interface StepFailure {
  /** Name of the model that the step runs. */
  readonly needed: string;
  /** Why that one does not serve, in the words of its own failure; undefined = they are not in the reason. */
  readonly reason: string | undefined;
}

const DEPENDS =
  /ensemble '[^']*' depends on '([^']*)' which (?:is not valid|has no loaded version)\.(?:\s*Model '[^']*' (?:loading )?failed with error: (.*))?/s;

/** undefined when the reason is about the ensemble itself. */
export function stepFailure(reason: string): StepFailure | undefined {
  const [, needed, inner] = DEPENDS.exec(reason) ?? [];
  return needed === undefined ? undefined : { needed, reason: inner };
}
