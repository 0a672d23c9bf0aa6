// Numbers and dates as the window shows them: one unit per value, at most three significant digits, fixed width where
// values change in place, in the locale the user chose. Exports and protocol texts never use these.

import { numberLocale } from '../texts/number-locale.ts';

const DASH = '–';

/** "850 µs", "18.2 ms", "1.24 s"; a dash when there is no value. */
export function formatMicros(us: number | undefined): string {
  if (us === undefined || !Number.isFinite(us)) return DASH;
  const [value, unit] = scaleMicros(us);
  return `${threeDigits(value)} ${unit}`;
}

/** As `formatMicros`, of milliseconds. */
export function formatMillis(ms: number | undefined): string {
  return formatMicros(ms === undefined ? undefined : ms * 1000);
}

/** The unit that a duration is shown in. */
export type TimeUnit = 'µs' | 'ms' | 's';

/** The unit in which a value of this size reads well. */
export function timeUnitFor(us: number): TimeUnit {
  if (us < 1000) return 'µs';
  return us < 1_000_000 ? 'ms' : 's';
}

/** A moment on a scale whose steps are `stepUs` apart: with the digits that tell two steps apart. "2.683 s". */
export function formatMoment(us: number, stepUs: number): string {
  const value = us === 0 ? 0 : us; // Never "-0".
  const unit = timeUnitFor(Math.abs(us));
  const digits = Math.ceil(Math.log10(MICROS_PER[unit] / stepUs) - 1e-9);
  const shown = Math.min(6, Math.max(0, digits));
  return `${decimal(value / MICROS_PER[unit], shown, shown)} ${unit}`;
}

/** Microseconds in one of each unit. */
export const MICROS_PER: Readonly<Record<TimeUnit, number>> = { µs: 1, ms: 1000, s: 1_000_000 };

function scaleMicros(us: number): readonly [number, TimeUnit] {
  const unit = timeUnitFor(us);
  return [us / MICROS_PER[unit], unit];
}

/** Three significant digits without exponent: 0.12, 4.31, 18.2, 412, 10,400; a dash for NaN. */
export function threeDigits(value: number): string {
  if (Number.isNaN(value)) return DASH;
  if (value === 0) return decimal(0, 0);
  if (Math.abs(value) < 0.005) return value < 0 ? `>${decimal(-0.01, 2)}` : `<${decimal(0.01, 2)}`;
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return decimal(value, Math.min(2, digits));
}

const formats = new Map<string, Intl.NumberFormat>();

/** At most `digits` digits behind the point, at least `least`. Kept formats: making one costs more than using it. */
function decimal(value: number, digits: number, least = 0): string {
  const locale = numberLocale();
  const key = `${locale} ${digits} ${least}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

/** Per second, without a unit, to a tenth; a dash when it is not known. */
export function formatRate(perSecond: number | undefined): string {
  return perSecond === undefined ? DASH : threeDigits(Math.round(perSecond * 10) / 10);
}

/** With separators of thousands; a dash when it is not known. */
export function formatCount(count: number | undefined): string {
  return count === undefined ? DASH : decimal(count, 3);
}

/** Each is 1024 of the one before it. */
export const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** The unit that a size is shown in. */
export type ByteUnit = (typeof BYTE_UNITS)[number];

/** In binary units up to TiB, with one digit below 100: "54.0 MiB"; a dash when it is not known. */
export function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isFinite(bytes)) return DASH;
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${bytes < 0 ? '-' : ''}${decimal(value, digits, digits)} ${BYTE_UNITS[unit] ?? 'B'}`;
}

/** `share` is 0..1; `digits` behind the point are always written. */
export function formatPercent(share: number | undefined, digits = 0): string {
  return share === undefined ? DASH : `${decimal(share * 100, digits, digits)} %`;
}

/** "12 s", "4 min", "3 h", "2 d": how long ago, coarse on purpose so that it seldom changes. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Day and time of the day of something that may lie days back. */
export function formatDateTime(atMs: number): string {
  return `${new Date(atMs).toLocaleDateString(numberLocale())} ${formatClock(atMs)}`;
}

/** "14:05:09", with milliseconds on request: as the log writes it, so that both can be compared. */
export function formatClock(atMs: number, withMillis = false): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return withMillis ? `${clock}.${String(at.getMilliseconds()).padStart(3, '0')}` : clock;
}

/** Shapes as users write them: [-1,3,224,224]. */
export function formatShape(shape: readonly number[]): string {
  return `[${shape.join(',')}]`;
}
