// What an operator is for, as far as its look in the drawing goes. Pure.

/** A look that several operators share. */
export type OperatorFamily = 'matrix' | 'activation' | 'normalisation' | 'shape' | 'other';

const FAMILIES: readonly (readonly [OperatorFamily, RegExp])[] = [
  [
    'matrix',
    /^(Q?Linear)?(Conv\w*|MatMul\w*|Gemm|FusedMatMul|FusedConv|FusedGemm|Einsum|LSTM|GRU|RNN|\w*Attention)$/,
  ],
  [
    'activation',
    /^(\w*Relu|\w*Gelu|Sigmoid|HardSigmoid|\w*Swish|Tanh|\w*Softmax|Elu|Selu|Celu|Mish|Softplus|Softsign|Erf|Clip)$/,
  ],
  ['normalisation', /^(\w*Normalization|LRN|Dropout|\w*Pool)$/],
  [
    'shape',
    /^(Reshape|Transpose|Flatten|Squeeze|Unsqueeze|Concat|Split|Slice|Gather\w*|Scatter\w*|Expand|Tile|Pad|Shape|Size|Cast\w*|Identity|Resize|Upsample|DepthToSpace|SpaceToDepth|Constant\w*)$/,
  ],
];

/** "other" for types that are not known, those of vendors included. */
export function operatorFamily(opType: string): OperatorFamily {
  return FAMILIES.find(([, pattern]) => pattern.test(opType))?.[0] ?? 'other';
}
