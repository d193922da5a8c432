// Traces for OpenTelemetry: spans around requests, statements, queue work and calls to others. Off unless a collector is set, and free then:
// nothing of OpenTelemetry is loaded (open_tracer.ts), and what is traced runs as if it were not. No attribute holds personal data: ids of records, names of
// statements and hosts, and never parameters, addresses of people, or texts.

/** What a span is of, as OpenTelemetry distinguishes it: a request taken, one sent, work taken from a queue, or something within. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type Span = {
  set(attributes: Attributes): void
  /** It failed; `what` is a code, not a text. */
  fail(what: string): void
  end(): void
}

export type SpanOptions = {
  kind?: SpanKind
  attributes?: Attributes
  /** Header `traceparent` of W3C Trace Context, of who asked. */
  traceparent?: string | undefined
  /** Continues the trace in which the record of this id was accepted by this process, if it was. */
  of?: string | undefined
}

export type Tracer = {
  /** Whether anything is recorded: where it costs something to say what, this is asked first. */
  readonly isOn: boolean
  /** Begins a span, which is ended by its `end`; a root, but for its options or the span that is active. */
  begin(name: string, options?: SpanOptions): Span
  /** Runs `work` with the span as the active one. */
  within<T>(span: Span, work: () => T): T
  /** A span within the active one around `work`, ended with it; without an active span there is none. */
  child<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>
  /** Header `traceparent` of the active span, for who is asked. */
  traceparent(): string | undefined
  /** Work on the record of this id, later in this process, belongs to the active trace. */
  remember(id: string): void
  /** Sends what was recorded. */
  close(): Promise<void>
}

const noSpan: Span = { set() {}, fail() {}, end() {} }

export const noTracer: Tracer = {
  isOn: false,
  begin: () => noSpan,
  within: (_span, work) => work(),
  child: (_name, _options, work) => work(),
  traceparent: () => undefined,
  remember() {},
  close: async () => {},
}

export type TracingSettings = {
  /** Address of the collector, without `/v1/traces`. */
  endpoint: string | undefined
  headers: Readonly<Record<string, string>>
  serviceName: string
  sampler: string
  /** Of `traceidratio`, 0 to 1. */
  ratio: number
  version: string
  /** Of this process. */
  instanceId: string
}
