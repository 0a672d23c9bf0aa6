// What is told in the corner of the window.

/** A button in the message; pressing it also closes the message. */
export interface ToastAction {
  readonly label: string;
  /** Called once at most, since the message closes with it. */
  readonly onClick: () => void;
}

/** A message at the edge of the window. */
export interface ToastMessage {
  readonly kind: 'success' | 'info' | 'warning' | 'error';
  readonly text: string;
  /** What may be done about it, below the text. */
  readonly advice?: string | undefined;
  readonly action: ToastAction | undefined;
  /** What it is about, such as a model; undefined = nothing in particular. */
  readonly subject: string | undefined;
  /** An error that its subject shows for as long as it lasts: the message may go by itself. */
  readonly isShownElsewhere?: boolean;
}
