// What is told in the corner of the window.

/** A button in the message; pressing it also closes the message. */
export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

export interface ToastMessage {
  readonly kind: 'success' | 'info' | 'warning' | 'error';
  readonly text: string;
  readonly action: ToastAction | undefined;
  /** What it is about, such as a model; undefined = nothing in particular. */
  readonly subject: string | undefined;
}
