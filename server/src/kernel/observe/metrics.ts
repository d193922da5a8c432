// Figures for Prometheus: requests by endpoint and status, what waits, and what must stay zero. Names follow its conventions: base units
// (seconds, bytes), `_total` for counters, and labels of few values (never an id or an address).
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** One value of a gauge, with the values of its labels. */
export type Sample = { labels?: Readonly<Record<string, string>>; value: number }

export type CounterHandle = { inc(labels?: Record<string, string>, by?: number): void }

export type Metrics = {
  request(method: string, endpoint: string, status: number, durationMs: number): void
  internalError(): void
  /** A figure read when Prometheus asks; without a value while it is undefined, or cannot be read. */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void
  /** The same with labels: what is not among the samples any more is not shown any more. */
  gauges(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void
  /**
   * The counter of this name, which is made when it is asked for first. `begins` are values of its labels that are shown as 0 from the
   * start, so that the first increase is seen as one.
   */
  counter(
    name: string,
    help: string,
    labelNames?: readonly string[],
    begins?: readonly Record<string, string>[],
  ): CounterHandle
  /** What Node says of this process (memory, processor time, delays of its event loop), with the label `process`. */
  ofProcess(name: string): Promise<string>
  /** Shows what another process of the same server says of itself beside it. @param read undefined where there is none */
  besides(read: () => Promise<string | undefined>): void
  render(): Promise<{ contentType: string; text: string }>
}

/** Of prom-client's own: gauges whose names end like counters, which `promtool check metrics` refuses. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function createMetrics(): Metrics {
  const registry = new Registry()
  const own = new Registry()
  collectDefaultMetrics({ register: own })
  for (const name of misnamed) own.removeSingleMetric(name)
  const others: (() => Promise<string | undefined>)[] = []
  const requests = createDurations()
  const internalErrors = new Counter({
    name: 'tandem_internal_errors_total',
    help: 'Requests answered 500. Must stay zero.',
    registers: [registry],
  })
  const counters = new Map<string, CounterHandle>()
  function gauges(name: string, help: string, labelNames: readonly string[], read: () => unknown): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        this.reset()
        if (labelNames.length === 0) this.remove()
        // What cannot be read now has no value; all else is shown.
        const samples = (await Promise.try(read).catch(() => [])) as readonly Sample[]
        for (const { labels = {}, value } of samples) this.set(labels, value)
      },
    })
  }
  return {
    request: requests.observe,
    internalError: () => internalErrors.inc(),
    gauges,
    gauge: (name, help, read) =>
      gauges(name, help, [], async () => {
        const value = await read()
        return value === undefined ? [] : [{ value }]
      }),
    counter(name, help, labelNames = [], begins = []) {
      let handle = counters.get(name)
      if (handle === undefined) {
        const counter = new Counter({ name, help, labelNames: [...labelNames], registers: [registry] })
        for (const labels of begins) counter.inc(labels, 0)
        handle = { inc: (labels = {}, by = 1) => counter.inc(labels, by) }
        counters.set(name, handle)
      }
      return handle
    },
    ofProcess(name) {
      own.setDefaultLabels({ process: name })
      return own.metrics()
    },
    besides: read => void others.push(read),
    async render() {
      const [all, mine, ...theirs] = await Promise.all([
        registry.metrics(),
        own.metrics(),
        ...others.map(read => read().catch(() => undefined)),
      ])
      const text = `${all}\n${joined([mine, ...theirs.filter(one => one !== undefined)])}\n${requests.render()}`
      return { contentType: registry.contentType, text }
    },
  }
}

/** Texts of several processes as one: all samples of a metric stand together, below one description (Prometheus, text format 0.0.4). */
export function joined(texts: readonly string[]): string {
  const metrics = new Map<string, { head: Set<string>; samples: string[] }>()
  for (const text of texts) {
    let at = { head: new Set<string>(), samples: [] as string[] }
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        at = metrics.get(name) ?? { head: new Set(), samples: [] }
        metrics.set(name, at)
        at.head.add(line)
      } else if (line !== '') at.samples.push(line)
    }
  }
  return [...metrics.values()].flatMap(({ head, samples }) => [...head, ...samples]).join('\n')
}

const boundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

type Series = { method: string; endpoint: string; status: number; counts: Float64Array; sumMs: number }

/**
 * The histogram of request durations, in the text format of Prometheus. Our own, because prom-client sorts and joins
 * labels at every observation, which cost more than routing the request.
 */
function createDurations() {
  const series = new Map<string, Series>()
  return {
    observe(method: string, endpoint: string, status: number, durationMs: number): void {
      const key = `${method} ${endpoint} ${status}`
      let one = series.get(key)
      if (one === undefined) {
        one = { method, endpoint, status, counts: new Float64Array(boundsMs.length + 1), sumMs: 0 }
        series.set(key, one)
      }
      let bucket = 0
      while (bucket < boundsMs.length && durationMs > (boundsMs[bucket] as number)) bucket++
      one.counts[bucket] = (one.counts[bucket] as number) + 1
      one.sumMs += durationMs
    },
    render(): string {
      const name = 'tandem_http_request_duration_seconds'
      const lines = [`# HELP ${name} Time from request to answer.`, `# TYPE ${name} histogram`]
      for (const { method, endpoint, status, counts, sumMs } of series.values()) {
        const labels = `method="${method}",endpoint="${endpoint}",status="${status}"`
        let total = 0
        for (const [index, count] of counts.entries()) {
          total += count
          const bound = boundsMs[index]
          lines.push(`${name}_bucket{${labels},le="${bound === undefined ? '+Inf' : bound / 1_000}"} ${total}`)
        }
        lines.push(`${name}_sum{${labels}} ${sumMs / 1_000}`, `${name}_count{${labels}} ${total}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
