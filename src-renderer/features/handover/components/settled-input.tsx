// A text that counts once it is finished: when the field is left, or by Enter. Each change of a plan reads the repositories.

import { useState } from 'react';

import { TextInput } from '../../../ui/inputs.tsx';

interface SettledInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  readonly 'data-testid': string;
}

/** `onChange` gets the text when it is finished, and only when it is another one. */
export function SettledInput({ value, onChange, ...rest }: SettledInputProps) {
  const [typed, setTyped] = useState(value);
  const settle = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <TextInput
      {...rest}
      className="w-full"
      value={typed}
      onChange={setTyped}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}
