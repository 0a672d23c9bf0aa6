// Pseudo-random numbers that are the same on every machine and in every run, for weights of generated models.

/** Numbers in [0, 1) from a 32-bit seed (xorshift with a multiplicative finish). */
export function seededRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return (Math.imul(state, 0x85ebca6b) >>> 8) / 2 ** 24;
  };
}

/** `count` values, uniform in [-scale, scale). */
export function randomWeights(random: () => number, count: number, scale: number): Float32Array {
  const values = new Float32Array(count);
  for (let index = 0; index < count; index++) values[index] = (random() * 2 - 1) * scale;
  return values;
}
