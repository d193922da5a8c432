// Figures for Prometheus: requests by endpoint and status, what waits, and what must stay zero.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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
  const requests = new Histogram({
    name: 'tandem_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'endpoint', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const internalErrors = new Counter({
    name: 'tandem_internal_errors_total',
    help: 'Requests answered 500. Must stay zero.',
    registers: [registry],
  })
  return {
    request(method, endpoint, status, durationMs) {
      requests.observe({ method, endpoint, status }, durationMs / 1000)
    },
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
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
