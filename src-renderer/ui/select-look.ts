// What a choice out of a list is given, and how its closed control and its list look, whichever of the two lists it gets.

/** One entry of the list. */
export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabledReason?: string | undefined;
}

/** Of a choice out of a list. */
export interface SelectProps<T extends string> {
  readonly options: readonly Option<T>[];
  readonly value: T;
  /** Called with another entry than the one that is chosen. */
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean;
  readonly className?: string;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
}

/** The control that shows what is chosen. */
export const TRIGGER_LOOK =
  'inline-flex h-7 min-w-24 items-center justify-between gap-2 rounded border border-line-strong/80 bg-surface px-2 text-strong hover:bg-hover data-[disabled]:opacity-55';

/** One line of the list. */
export const OPTION_LOOK =
  'focus-inset mx-1 grid min-h-7 grid-cols-[1rem_1fr] items-center gap-2 rounded px-2 data-[disabled]:text-faint data-[highlighted]:bg-hover';
