// Schema of the tensor part of a configuration: data types, inputs, outputs, and tensors derived from a batch.

import { CONFIG_DATA_TYPES } from '../../datatypes.ts';
import { enumeration, many, message, one } from './field-types.ts';

const DATA_TYPE_DOCS: Readonly<Record<string, string>> = {
  TYPE_INVALID: 'No type. A tensor must name another one.',
  TYPE_BOOL: 'True or false, 1 byte.',
  TYPE_STRING: 'Text or bytes of any length; BYTES in the protocols.',
  TYPE_FP16: 'IEEE half precision, 2 bytes.',
  TYPE_FP32: 'IEEE single precision, 4 bytes.',
  TYPE_FP64: 'IEEE double precision, 8 bytes.',
  TYPE_BF16: 'bfloat16, 2 bytes.',
};

function dataTypeDoc(name: string): string {
  const integer = /^TYPE_(U?)INT(\d+)$/.exec(name);
  if (integer === null) return DATA_TYPE_DOCS[name] ?? name;
  const bytes = Number(integer[2]) / 8;
  return `${integer[1] === 'U' ? 'Unsigned' : 'Signed'} integer, ${bytes} byte${bytes === 1 ? '' : 's'}.`;
}

export const DATA_TYPE = enumeration(
  'DataType',
  CONFIG_DATA_TYPES.map((name) => [name, dataTypeDoc(name)] as const),
);

/** What sizes of a shape are allowed, as the documentation of the fields says it. */
export const DIMS_LIMITS = 'each 1 or more, or -1 for any size';

export const TENSOR_RESHAPE = message('ModelTensorReshape', 'The shape a tensor has on the other side.', [
  many(
    'shape',
    1,
    'int64',
    'Dimensions without the batch dimension; empty means a single value per batch item.',
    {
      limits: DIMS_LIMITS,
      example: 'reshape { shape: [ 1, 3, 224, 224 ] }',
    },
  ),
]);

const NAME_FACTS = { limits: 'not empty; must be a tensor of the model file', example: 'name: "INPUT0"' };
const TENSOR_RT_ONLY = { defaultText: 'false', isTensorRtOnly: true };

const FORMAT = enumeration('ModelInput.Format', [
  ['FORMAT_NONE', 'No image layout is promised.'],
  ['FORMAT_NHWC', 'Height, width, channels: exactly 3 dims.'],
  ['FORMAT_NCHW', 'Channels, height, width: exactly 3 dims.'],
]);

export const MODEL_INPUT = message('ModelInput', 'One tensor that clients send.', [
  one('name', 1, 'string', 'Name of the tensor, as in the model file and in requests.', NAME_FACTS),
  one('data_type', 2, DATA_TYPE, 'Element type of the tensor.', { example: 'data_type: TYPE_FP32' }),
  one('format', 3, FORMAT, 'Image layout, a hint for clients.', { defaultText: 'FORMAT_NONE' }),
  many(
    'dims',
    4,
    'int64',
    'Shape that clients send, without the batch dimension when max_batch_size is above 0.',
    {
      limits: DIMS_LIMITS,
      example: 'dims: [ 3, 224, 224 ]',
    },
  ),
  one(
    'reshape',
    5,
    TENSOR_RESHAPE,
    'Shape handed to the model instead of dims; both hold equally many elements.',
    {
      defaultText: 'dims are used as they are',
    },
  ),
  one('is_shape_tensor', 6, 'bool', 'The values of the tensor are themselves a shape.', TENSOR_RT_ONLY),
  one(
    'allow_ragged_batch',
    7,
    'bool',
    'Requests of different shapes may share a batch; the model gets one flat tensor.',
    {
      defaultText: 'false',
      effect: 'Without it only requests of equal shape are batched together.',
    },
  ),
  one('optional', 8, 'bool', 'A request may leave this input out.', {
    defaultText: 'false',
    limits: 'for ONNX models only with max_batch_size 0',
  }),
  one(
    'is_non_linear_format_io',
    9,
    'bool',
    'The tensor uses a vectorised memory layout; exactly 3 dims.',
    TENSOR_RT_ONLY,
  ),
]);

export const MODEL_OUTPUT = message('ModelOutput', 'One tensor that clients receive.', [
  one('name', 1, 'string', 'Name of the tensor, as in the model file and in responses.', NAME_FACTS),
  one('data_type', 2, DATA_TYPE, 'Element type of the tensor.', { example: 'data_type: TYPE_FP32' }),
  many(
    'dims',
    3,
    'int64',
    'Shape that clients receive, without the batch dimension when max_batch_size is above 0.',
    {
      limits: DIMS_LIMITS,
      example: 'dims: [ 1000 ]',
    },
  ),
  one('reshape', 5, TENSOR_RESHAPE, 'Shape that the model produces; it is given out as dims.', {
    defaultText: 'dims are used as they are',
  }),
  one(
    'label_filename',
    4,
    'string',
    'Text file in the model folder, one class label per line, for classification answers.',
    {
      defaultText: 'no labels',
      example: 'label_filename: "labels.txt"',
    },
  ),
  one('is_shape_tensor', 6, 'bool', 'The values of the tensor are themselves a shape.', TENSOR_RT_ONLY),
  one(
    'is_non_linear_format_io',
    7,
    'bool',
    'The tensor uses a vectorised memory layout; exactly 3 dims.',
    TENSOR_RT_ONLY,
  ),
]);

const BATCH_INPUT_KIND = enumeration(
  'BatchInput.Kind',
  [
    ['BATCH_ELEMENT_COUNT', 'Element count of the source, one value per request.'],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT', 'Running sum of the element counts, one value per request.'],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO', 'Running sum with a leading 0, requests + 1 values.'],
    ['BATCH_MAX_ELEMENT_COUNT_AS_SHAPE', 'A tensor whose length is the largest element count.'],
    ['BATCH_ITEM_SHAPE', 'Shape of every batch item of the source, one row each.'],
    ['BATCH_ITEM_SHAPE_FLATTEN', 'Shape of every batch item of the source, as one flat tensor.'],
  ],
  { unknownNumberText: "unknown batch input kind ''" },
);

export const BATCH_INPUT = message('BatchInput', 'A model input that the server derives from each batch.', [
  one('kind', 1, BATCH_INPUT_KIND, 'What the tensor tells about the batch.', {
    defaultText: 'BATCH_ELEMENT_COUNT',
  }),
  many('target_name', 2, 'string', 'Model inputs that receive the tensor.'),
  one('data_type', 3, DATA_TYPE, 'Element type of the derived tensor.', {
    limits: 'TYPE_INT32 or TYPE_FP32',
  }),
  many('source_input', 4, 'string', 'Input whose shapes are described.', { limits: 'exactly one input' }),
]);

const BATCH_OUTPUT_KIND = enumeration(
  'BatchOutput.Kind',
  [['BATCH_SCATTER_WITH_INPUT_SHAPE', 'Cut one flat output into a piece per request, sized by the source.']],
  { unknownNumberText: "unknown batch output kind ''" },
);

export const BATCH_OUTPUT = message(
  'BatchOutput',
  'An output that is cut by the shapes of an input, not by batch size.',
  [
    many('target_name', 1, 'string', 'Outputs that are cut this way.'),
    one('kind', 2, BATCH_OUTPUT_KIND, 'How the output is cut.', {
      defaultText: 'BATCH_SCATTER_WITH_INPUT_SHAPE',
    }),
    many('source_input', 3, 'string', 'Input whose shapes tell the pieces.', {
      limits: 'exactly one input',
    }),
  ],
);
