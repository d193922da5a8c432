// Figures for Prometheus: requests by endpoint and status, what waits, and what must stay zero.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = {
  request(method: string, endpoint: string, status: number, durationMs: number): void
  internalError(): void
  /** A figure read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  counter(
    name: string,
    help: string,
    labelNames?: string[],
  ): { inc(labels?: Record<string, string>, by?: number): void }
  render(): Promise<{ contentType: string; text: string }>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = createDurations()
  const internalErrors = new Counter({
    name: 'tandem_internal_errors_total',
    help: 'Requests answered 500. Must stay zero.',
    registers: [registry],
  })
  return {
    request: requests.observe,
    internalError: () => internalErrors.inc(),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    counter(name, help, labelNames = []) {
      const counter = new Counter({ name, help, labelNames, registers: [registry] })
      return { inc: (labels = {}, by = 1) => counter.inc(labels, by) }
    },
    async render() {
      return { contentType: registry.contentType, text: `${await registry.metrics()}\n${requests.render()}` }
    },
  }
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
