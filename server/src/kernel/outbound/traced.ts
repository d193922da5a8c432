// A request to others as a part of a trace.
import type { Tracer } from '../observe/tracing.ts'

type Request = { method?: string; url: URL; headers: string[] }

/** Within a trace, the request is part of it, and its receiver can go on with it (W3C Trace Context). */
export function traced<R extends Request, Reply>(
  tracer: Tracer,
  request: R,
  send: (request: R) => Promise<Reply>,
): Promise<Reply> {
  const { method = 'POST', url } = request
  const attributes = { 'http.request.method': method, 'server.address': url.hostname }
  return tracer.child(method, { kind: 'client', attributes }, () => {
    const traceparent = tracer.traceparent()
    return send(
      traceparent === undefined ? request : { ...request, headers: [...request.headers, 'traceparent', traceparent] },
    )
  })
}
