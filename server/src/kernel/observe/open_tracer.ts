// Decides whether there are traces at all.
import { noTracer, type Tracer, type TracingSettings } from './tracing.ts'

/** The tracer of the settings; OpenTelemetry is loaded only where there is a collector. */
export async function openTracer(settings: TracingSettings): Promise<Tracer> {
  if (settings.endpoint === undefined) return noTracer
  const { createTracer } = await import('./open_telemetry.ts')
  return createTracer({ ...settings, endpoint: settings.endpoint })
}
