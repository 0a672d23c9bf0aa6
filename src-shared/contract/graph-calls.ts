// Calls of the Graph tab: the graph of an ONNX file without its weights, single constants, and what the steps of an
// ensemble took. A graph is read beside the engine's thread and fetched in pieces (blob/read), so no message is large.

import { z } from 'zod';

import { defineCall } from './define.ts';

/** A tensor of an ONNX file, as far as the file describes it. */
export interface GraphValue {
  readonly name: string;
  /** Element type as ONNX names it, "float"; undefined when the file does not say. */
  readonly type: string | undefined;
  /** "[batch,3,224,224]"; undefined when the file gives no shape. */
  readonly shape: string | undefined;
}

/** An attribute of an operator, as text. */
export interface GraphAttribute {
  readonly name: string;
  /** Cut to a readable length. */
  readonly value: string;
  /** The attribute is a tensor, whose values graph/constant reads. */
  readonly isTensor: boolean;
}

/** A node of the main graph of an ONNX file. */
export interface GraphOperator {
  readonly name: string;
  readonly opType: string;
  /** As in the file: "" = the standard operators. */
  readonly domain: string;
  /** Path of the scope that it is in: names from the outermost, joined with "/"; "" = the whole graph. */
  readonly scope: string;
  /** Tensor names; "" = an optional input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly GraphAttribute[];
}

/** A weight by name, type and shape; its values stay in the file. `byteSize`: what they take there. */
export interface GraphInitializer extends GraphValue {
  readonly byteSize: number;
}

/** What lies, compressed, in the blob that graph/onnx answers with. */
export interface OnnxGraphData {
  /** File order, which is an order of execution. Bodies of functions and of control flow follow their operator. */
  readonly operators: readonly GraphOperator[];
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  readonly initializers: readonly GraphInitializer[];
  /** Types and shapes of tensors between operators, as far as the file gives them. */
  readonly values: readonly GraphValue[];
  /** Scopes that are functions of the file or bodies of control flow: scope -> "function Name" or "body of Loop". */
  readonly scopeNotes: Readonly<Record<string, string>>;
}

/** What an ONNX file says of itself. */
export interface FileFacts {
  /** "pytorch 2.4"; undefined when it does not say. */
  readonly producer: string | undefined;
  /** `metadata_props` of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly operatorCount: number;
  readonly parameterCount: number;
}

/** The beginning of a constant of an ONNX file, read on demand. */
export interface ConstantView {
  readonly type: string;
  readonly shape: string;
  readonly elementCount: number;
  /** First elements as texts. */
  readonly values: readonly string[];
}

/** Over the requests to an ensemble that are remembered. Means are of runs that succeeded. */
export interface EnsembleActivity {
  readonly runCount: number;
  readonly failureCount: number;
  readonly meanUs: number;
  /** Message of the newest failure, undefined when the newest request succeeded. */
  readonly lastError: string | undefined;
  readonly steps: readonly {
    /** Position in `ensemble_scheduling.step`. */
    readonly stepIndex: number;
    readonly model: string;
    readonly runCount: number;
    readonly failureCount: number;
    readonly meanUs: number;
    /** It failed in the newest request. */
    readonly hasFailedLast: boolean;
  }[];
}

const version = z.object({ model: z.string(), version: z.string() });

/** Of a version that need not be loaded. */
export const graphCalls = [
  /** JSON of OnnxGraphData, compressed with gzip, in a blob. Whoever asked releases it. */
  defineCall('graph/onnx', version)<{
    readonly blob: string;
    readonly byteSize: number;
    readonly operatorCount: number;
    /** Name of the file in the version folder. */
    readonly fileName: string;
  }>(),
  /** Of the file of a version; "" = the newest. NOT_FOUND for a model that is no ONNX file. */
  defineCall('graph/fileFacts', version)<FileFacts>(),
  /** First elements of an initializer, or of a tensor attribute of the operator that writes `tensor`. */
  defineCall(
    'graph/constant',
    version.extend({ tensor: z.string(), attribute: z.string().optional() }),
  )<ConstantView>(),
  defineCall('graph/ensemble', z.object({ model: z.string() }))<EnsembleActivity>(),
] as const;
