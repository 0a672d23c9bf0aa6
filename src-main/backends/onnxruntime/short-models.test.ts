import { describe, expect, it } from 'vitest';

import { identityConfig } from '../../testing/onnx-test-models.ts';
import { hasShortRuns } from './short-models.ts';

const SMALL = { isBounded: true, weightByteSize: 1024 };

describe('hasShortRuns', () => {
  it('is true for small tensors and weights', () => {
    expect(hasShortRuns(identityConfig(8, 'FP32', [16]), SMALL)).toBe(true);
    expect(hasShortRuns(identityConfig(0, 'FP32', [16]), SMALL)).toBe(true);
  });

  it('counts the largest batch, inputs and outputs', () => {
    expect(hasShortRuns(identityConfig(8, 'FP32', [1024]), SMALL)).toBe(true);
    expect(hasShortRuns(identityConfig(9, 'FP32', [1024]), SMALL)).toBe(false);
    expect(hasShortRuns(identityConfig(9, 'FP16', [1024]), SMALL)).toBe(true);
  });

  it('is false where a size is not known, for texts, large weights and work that values decide', () => {
    expect(hasShortRuns(identityConfig(8, 'FP32', [-1]), SMALL)).toBe(false);
    expect(hasShortRuns(identityConfig(8, 'BYTES', [1]), SMALL)).toBe(false);
    expect(hasShortRuns(identityConfig(8, 'FP32', [16]), { ...SMALL, weightByteSize: 65_537 })).toBe(false);
    expect(hasShortRuns(identityConfig(8, 'FP32', [16]), { ...SMALL, isBounded: false })).toBe(false);
  });
});
