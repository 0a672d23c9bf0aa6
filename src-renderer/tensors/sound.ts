// Sound as something to look at: how loud it is over time, and which frequencies it has. Pure.

interface Peak {
  readonly low: number;
  readonly high: number;
}

/** The smallest and largest sample of each of `columns` equal pieces. */
export function peaksOf(samples: Float64Array, columns: number): readonly Peak[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * samples.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * samples.length) / columns));
    let [low, high] = [Infinity, -Infinity];
    for (let at = from; at < to && at < samples.length; at += 1) {
      low = Math.min(low, samples[at] ?? 0);
      high = Math.max(high, samples[at] ?? 0);
    }
    return low <= high ? { low, high } : { low: 0, high: 0 };
  });
}

const WINDOW = 512;
const BINS = WINDOW / 2;
/** Worked out once: they are needed millions of times for one sound. */
const HANN = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (WINDOW - 1)),
);
const COSINES = Float64Array.from({ length: BINS }, (_, at) => Math.cos((-2 * Math.PI * at) / WINDOW));
const SINES = Float64Array.from({ length: BINS }, (_, at) => Math.sin((-2 * Math.PI * at) / WINDOW));

/**
 * Loudness of frequencies, low ones last, as rows of `columns` values in decibels below the loudest, cut at -80.
 * Windows of 512 samples under a Hann window.
 */
export function spectrogram(
  samples: Float64Array,
  columns: number,
): { readonly rows: number; readonly values: Float64Array } {
  const power = new Float64Array(BINS * columns);
  const [real, imaginary] = [new Float64Array(WINDOW), new Float64Array(WINDOW)];
  let loudest = 1e-12;
  for (let column = 0; column < columns; column += 1) {
    const start = Math.floor((column * Math.max(0, samples.length - WINDOW)) / Math.max(1, columns - 1));
    for (let at = 0; at < WINDOW; at += 1) {
      real[at] = (samples[start + at] ?? 0) * (HANN[at] ?? 0);
      imaginary[at] = 0;
    }
    transform(real, imaginary);
    for (let bin = 0; bin < BINS; bin += 1) {
      const value = (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2;
      power[(BINS - 1 - bin) * columns + column] = value;
      loudest = Math.max(loudest, value);
    }
  }
  return {
    rows: BINS,
    values: power.map((value) => Math.min(0, Math.max(-80, 10 * Math.log10(value / loudest + 1e-12)))),
  };
}

/** Fourier transform of one window, in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let from = 1, to = 0; from < size; from += 1) {
    let bit = size >> 1;
    for (; (to & bit) !== 0; bit >>= 1) to ^= bit;
    to ^= bit;
    if (from < to) {
      swap(real, from, to);
      swap(imaginary, from, to);
    }
  }
  for (let span = 2; span <= size; span *= 2) butterflies(real, imaginary, span);
}

function swap(values: Float64Array, a: number, b: number): void {
  const kept = values[a] ?? 0;
  values[a] = values[b] ?? 0;
  values[b] = kept;
}

function butterflies(real: Float64Array, imaginary: Float64Array, span: number): void {
  const half = span / 2;
  for (let start = 0; start < real.length; start += span) {
    for (let step = 0; step < half; step += 1) {
      const turn = step * (WINDOW / span);
      const cos = COSINES[turn] ?? 0;
      const sin = SINES[turn] ?? 0;
      const even = start + step;
      const odd = even + half;
      const x = (real[odd] ?? 0) * cos - (imaginary[odd] ?? 0) * sin;
      const y = (real[odd] ?? 0) * sin + (imaginary[odd] ?? 0) * cos;
      real[odd] = (real[even] ?? 0) - x;
      imaginary[odd] = (imaginary[even] ?? 0) - y;
      real[even] = (real[even] ?? 0) + x;
      imaginary[even] = (imaginary[even] ?? 0) + y;
    }
  }
}

/** Whole numbers are 16-bit samples; numbers beyond -1..1 are brought into it, and what is none is silent. */
export function unitSamples(values: Float64Array, datatype: string): Float64Array {
  const sounding = new Float64Array(values.length);
  let loudest = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    if (!Number.isFinite(value)) continue;
    sounding[at] = value;
    loudest = Math.max(loudest, Math.abs(value));
  }
  const scale = 1 / (datatype === 'INT16' ? 32_768 : Math.max(1, loudest));
  if (scale === 1) return sounding;
  for (let at = 0; at < sounding.length; at += 1) sounding[at] = (sounding[at] ?? 0) * scale;
  return sounding;
}
