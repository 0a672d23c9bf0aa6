// On and off, for what takes effect at once.

import { Switch as BaseSwitch } from '@base-ui/react/switch';

/** Of everything that is on or off. */
export interface ToggleProps {
  readonly isOn: boolean;
  /** What it is to be now; it stays as it was until `isOn` changes. */
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
}

/** On or off, at once. */
export function Switch({ isOn, onChange, isDisabled = false, ...rest }: ToggleProps) {
  return (
    <BaseSwitch.Root
      checked={isOn}
      onCheckedChange={(next) => onChange(next)}
      disabled={isDisabled}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-hover p-0.5 transition-colors data-[checked]:border-accent data-[checked]:bg-accent data-[disabled]:opacity-50"
      {...rest}
    >
      <BaseSwitch.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-[checked]:translate-x-4 data-[checked]:bg-on-accent" />
    </BaseSwitch.Root>
  );
}
