// What the parts of an ONNX drawing get: the model, what is drawn, what can be done.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { GraphIndex } from './graph-index.ts';
import type { Step } from './graph-steps.ts';
import type { OutlineRow } from './outline-rows.ts';
import type { Drawing } from './use-drawing.ts';

/** A graph that was read. `version` "" = the newest; `sourceKey` changes with the file. */
export interface OnnxDrawingProps {
  readonly model: ModelView;
  readonly version: string;
  readonly index: GraphIndex;
  readonly sourceKey: string;
}

/** The same with what is drawn of it. `configured`: name of a tensor to what the config says of it. */
export interface StageProps extends OnnxDrawingProps {
  readonly drawing: Drawing;
  readonly actions: OnnxActions;
  readonly configured: ReadonlyMap<string, string> | undefined;
}

/** What the user can do in list, drawing and details. */
export interface OnnxActions {
  /** By the row's id; an operator is brought into view too. */
  readonly select: (row: Pick<OutlineRow, 'id'>) => void;
  /** `operator`: its index in the file; opens what it is hidden in. */
  readonly go: (operator: number) => void;
  /** Only for scopes, and only in the list: the drawing has scopes of its own. */
  readonly toggleRow: (row: OutlineRow, isOpen: boolean) => void;
  /**
   * Of the drawing; `scope`: its path, `withAll`: with all scopes inside. Too large a drawing is refused in a
   * toast.
   */
  readonly open: (scope: string, withAll: boolean) => void;
  /** 'around': of the selected operator, else of the one that was there before. */
  readonly setMode: (mode: 'scopes' | 'around') => void;
  /** A change of the drawing, or a toast when it would be too large; `scope` is the name in that toast. */
  readonly apply: (step: Step, scope: string) => void;
}
