// A node of a drawing, whatever it draws.

import type { Node } from '@xyflow/react';

/** A node whose look is that of its type. */
export type CanvasNode = Node<Record<string, unknown> & { readonly label: string }> & {
  readonly width: number;
  readonly height: number;
};
