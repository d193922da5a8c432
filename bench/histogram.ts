/**
 * A latency histogram of constant size: whole microseconds below 256, then 128 steps for each doubling (an error under
 * 0.8 %). Recording is one array increment, so it may stand in the hot path of the load generator.
 */

const stepBits = 7
const steps = 1 << stepBits
const highestUs = 2 ** 31 - 1

/** Counts per bucket, plus exact count, sum (µs) and maximum (µs). */
export type Histogram = { counts: Uint32Array; count: number; sumUs: number; maxUs: number }

/** Latencies in microseconds; all zero when nothing was recorded. */
export type LatencyUs = { p50: number; p90: number; p99: number; p999: number; max: number; mean: number }

/** An empty histogram for values of 0 µs to 35 minutes. */
export function createHistogram(): Histogram {
  return { counts: new Uint32Array(bucketOf(highestUs) + 1), count: 0, sumUs: 0, maxUs: 0 }
}

function bucketOf(us: number): number {
  if (us < 2 * steps) return us
  const shift = 31 - Math.clz32(us) - stepBits
  return shift * steps + (us >> shift)
}

/** The largest value (µs) that falls into a bucket. */
function topOf(bucket: number): number {
  if (bucket < 2 * steps) return bucket
  const shift = Math.floor(bucket / steps) - 1
  return (bucket - shift * steps + 1) * 2 ** shift - 1
}

/** Records one latency; fractions of a microsecond are dropped, values out of range are held at its ends. */
export function record(histogram: Histogram, us: number): void {
  const whole = us < 0 ? 0 : us > highestUs ? highestUs : us | 0
  histogram.counts[bucketOf(whole)]! += 1
  histogram.count += 1
  histogram.sumUs += whole
  if (whole > histogram.maxUs) histogram.maxUs = whole
}

/** The value (µs) that a share of all records (0 to 1) does not exceed, to the precision of its bucket. */
export function percentile(histogram: Histogram, share: number): number {
  const wanted = Math.max(1, Math.ceil(histogram.count * share))
  let seen = 0
  for (let bucket = 0; bucket < histogram.counts.length; bucket++) {
    seen += histogram.counts[bucket]!
    if (seen >= wanted) return Math.min(topOf(bucket), histogram.maxUs)
  }
  return 0
}

/** The usual percentiles of a histogram. */
export function summarize(histogram: Histogram): LatencyUs {
  return {
    p50: percentile(histogram, 0.5),
    p90: percentile(histogram, 0.9),
    p99: percentile(histogram, 0.99),
    p999: percentile(histogram, 0.999),
    max: histogram.maxUs,
    mean: histogram.count === 0 ? 0 : Math.round(histogram.sumUs / histogram.count),
  }
}
