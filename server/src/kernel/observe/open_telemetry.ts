// The tracer on the SDK of OpenTelemetry. Loaded by open_tracer.ts only where a collector is set: nothing else may import it.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, SpanOptions, Tracer, TracingSettings } from './tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** Records whose trace is known, the newest; what is older begins a trace of its own. */
const maxRemembered = 20_000
const delayMs = 2_000

/** Spans of ours by what stands for them. */
const spans = new WeakMap<Span, OtelSpan>()

export function createTracer(settings: TracingSettings & { endpoint: string }): Tracer {
  const { endpoint, headers, serviceName, version, instanceId } = settings
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } })
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  })
  const tracer = provider.getTracer('tandem', version)
  const active = new AsyncLocalStorage<OtelSpan>()
  const remembered = new Map<string, SpanContext>()

  function contextOf({ traceparent, of }: SpanOptions): Context {
    const asked = traceparent === undefined ? undefined : parseTraceparent(traceparent)
    const known = asked ?? (of === undefined ? undefined : remembered.get(of))
    if (known !== undefined) return trace.setSpanContext(ROOT_CONTEXT, known)
    const span = active.getStore()
    return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span)
  }

  function begin(name: string, options: SpanOptions = {}): Span {
    const { kind = 'internal', attributes = {} } = options
    return wrap(tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, contextOf(options)))
  }

  const within = <T>(span: Span, work: () => T): T => active.run(spans.get(span)!, work)

  return {
    isOn: true,
    begin,
    within,
    async child(name, options, work) {
      if (active.getStore() === undefined) return work()
      const span = begin(name, options)
      try {
        return await within(span, work)
      } catch (error) {
        span.fail((error as { code?: string }).code ?? 'failed')
        throw error
      } finally {
        span.end()
      }
    },
    traceparent() {
      const context = active.getStore()?.spanContext()
      return context && `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
    },
    remember(id) {
      const context = active.getStore()?.spanContext()
      if (context === undefined) return
      remembered.set(id, context)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    },
    async close() {
      // A collector that is away must not hold up the end.
      await provider.shutdown().catch(() => {})
    },
  }
}

function wrap(span: OtelSpan): Span {
  const wrapped: Span = {
    set: attributes => void span.setAttributes({ ...attributes }),
    fail: what => void span.setStatus({ code: SpanStatusCode.ERROR, message: what }),
    end: () => span.end(),
  }
  spans.set(wrapped, span)
  return wrapped
}

/** W3C Trace Context §3.2; undefined for what is none, which begins a trace as if nothing had come. */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(text) ?? []
  if (version === undefined || version === 'ff') return undefined
  const context = { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const name = sampler.replace(/^parentbased_/, '')
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return sampler === name ? root : new ParentBasedSampler({ root })
}
