// A place in a picture where a model found something.

/** Of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels of the input of the model, or of the picture that was sent. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Undefined without scores. */
  readonly score: number | undefined;
  readonly classIndex: number | undefined;
  /** Places inside that the model names: the joints of a body. */
  readonly points?: readonly Point[] | undefined;
}

/** In the same pixels as the box it is of. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
