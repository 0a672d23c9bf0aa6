// A request to an endpoint of a managed cloud. It is one of the v2 port but for three things: content encodings are
// ignored both ways, the length of the JSON part stands in the content type, and the cloud has statuses of its own.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { ServerError } from '../../../../src-shared/errors.ts';
import { Exchange } from '../exchange.ts';
import type { HttpContext } from '../http-context.ts';
import { httpErrors } from '../http-errors.ts';
import type { InferReply } from '../infer-response.ts';
import { INT32_RANGE, jsonLengthIn } from '../json-length.ts';
import type { RouteMatch } from '../router.ts';

/** What one cloud does in its own way. */
export interface CloudDialect {
  /** Content type of a binary request, to which the number of bytes of its JSON part is appended. */
  readonly binaryType: string;
  /** Binary answers have that type too, instead of the header of the v2 port. */
  readonly answersWithType: boolean;
}

/** Status of an error of the v2 port, for this request. */
export type StatusRule = (status: number, message: string) => number;

const sameStatus: StatusRule = (status) => status;

/** Throws INVALID_ARG for a content type that names the length of the JSON part wrongly. */
export class CloudExchange extends Exchange {
  /** May become known after the request came. */
  declare match: RouteMatch;
  readonly #dialect: CloudDialect;
  readonly #statusOf: StatusRule;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    context: HttpContext,
    match: RouteMatch,
    { dialect, statusOf = sameStatus }: { readonly dialect: CloudDialect; readonly statusOf?: StatusRule },
  ) {
    super(req, res, context, match);
    this.#dialect = dialect;
    this.#statusOf = statusOf;
  }

  override header(name: string): string | undefined {
    if (name === 'content-encoding' || name === 'accept-encoding') return undefined;
    if (name === 'inference-header-content-length') return this.#lengthText();
    return super.header(name);
  }

  /** The whole body where the content type names no length. */
  jsonLength(bodyByteSize: number): number {
    const { binaryType } = this.#dialect;
    const type = super.header('content-type') ?? '';
    const text = this.#lengthText();
    if (text === undefined) {
      if (!type.includes(binaryType)) return bodyByteSize;
      throw httpErrors.binaryTypeNotFirst({ type: binaryType, got: type });
    }
    return jsonLengthIn(text, bodyByteSize, {
      noNumber: (got) => httpErrors.headerSizeNoNumber({ got }),
      outOfRange: (got) => httpErrors.headerSizeRange({ range: INT32_RANGE, got }),
    });
  }

  override fail(thrown: unknown): void {
    if (thrown instanceof ServerError && thrown.code === 'ALREADY_EXISTS') this.error(409, thrown.message);
    else super.fail(thrown);
  }

  override error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    super.error(this.#statusOf(status, message), message, headers);
  }

  protected override headersOf(reply: InferReply, contentLength: number): string[] {
    const { answersWithType, binaryType } = this.#dialect;
    if (!answersWithType || reply.binaryByteSize === 0) return super.headersOf(reply, contentLength);
    return ['Content-Type', `${binaryType}${reply.jsonByteSize}`, 'Content-Length', String(contentLength)];
  }

  /** What stands behind the binary type; undefined = the content type is another one. */
  #lengthText(): string | undefined {
    const type = super.header('content-type') ?? '';
    const { binaryType } = this.#dialect;
    return type.startsWith(binaryType) ? type.slice(binaryType.length) : undefined;
  }
}
