// Stand-ins for the editors of texts, which need a browser: they show the text they would let one edit. A test takes
// one in place of the real file: vi.mock('../../config/editor/code-editor.tsx', () => import('…/plain-editors.tsx')).

/** The text of a document, as it is now. */
export function CodeEditor({ text }: { readonly text: string }): React.JSX.Element {
  return <pre data-testid="code-editor">{text}</pre>;
}

/** What a text is compared with. */
export function TextDiff({ original }: { readonly original: string }): React.JSX.Element {
  return <pre data-testid="text-diff">{original}</pre>;
}
