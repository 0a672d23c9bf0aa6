// A sentence of the engine in which a command or a name stands between backticks.

const CODE = /`([^`]+)`/;

/** What stands between backticks, in order. */
export function codeIn(text: string): readonly string[] {
  return text.split(CODE).filter((_part, at) => at % 2 === 1);
}

/** The sentence with these parts in the font of code, without their backticks. */
export function CodedText({ text }: { readonly text: string }) {
  return text.split(CODE).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono text-sm break-words">
        {part}
      </code>
    ),
  );
}
