// What is wrong with a call of the OpenAI-compatible endpoint, in the forms that its clients know: `detail` as a text or a
// list, or an `error` object.

/** An answer that is no success: its status and the JSON of its body. */
export class OpenaiFault extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** `{"detail": text}` */
export function detailFault(status: number, detail: string): OpenaiFault {
  return new OpenaiFault(status, { detail }, detail);
}

/** `{"error": {message, type, code}}` */
export function errorFault(status: number, message: string, type: string, code: string): OpenaiFault {
  return new OpenaiFault(status, { error: { message, type, code } }, message);
}
