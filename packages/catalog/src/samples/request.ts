// A request as a value: what the Playground sends, what the samples show, what a pasted command means. One shape for all,
// so that preview, cURL and the bytes on the wire cannot differ.
import { formType } from '../document.ts'
import type { Endpoint } from '../model.ts'

/** `url` is whole, with host and query. Header names keep their spelling, values are trimmed. */
export type RequestValue = {
  method: string
  url: string
  headers: [name: string, value: string][]
  /** Text, sent as UTF-8. */
  body?: string
  /** The name of a file that is sent in place of `body`. */
  file?: string
}

/** The first value of a header, whatever its spelling. */
export function headerOf({ headers }: Pick<RequestValue, 'headers'>, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1]
}

const eventStream = 'text/event-stream'

/** Fields as the text of a form (WHATWG URL §5). */
export function formText(fields: unknown): string {
  const pairs = Object.entries(fields as Record<string, unknown>).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs).toString()
}

/** Whether the answer is read as it comes, without end. */
export function asksForStream(request: RequestValue): boolean {
  return headerOf(request, 'accept') === eventStream
}

/** Where a sample puts an answer that is no text but bytes (Accept: audio/wav): `answer.wav`. */
export function answerFile(request: RequestValue): string | undefined {
  const kind = /^(?:audio|video|image)\/(\w+)$/.exec(headerOf(request, 'accept') ?? '')?.[1]
  return kind === undefined ? undefined : `answer.${kind}`
}

/**
 * The sample request of an endpoint, as JSON text that people can read. Parameters of the path take their example, else
 * their name in braces; the query takes those parameters that have an example.
 * @param baseUrl scheme and host without a slash at the end
 * @param token left out for a request without credential; public endpoints get none
 */
export function sampleRequest(endpoint: Endpoint, baseUrl: string, token?: string): RequestValue {
  const { method, path, permission, parameters, bodyExample, fileBody, isForm } = endpoint
  const exampleOf = (name: string) => parameters.find(field => field.in === 'path' && field.name === name)?.example
  const filled = path.replaceAll(/\{(\w+)\}/g, (braced, name: string) => {
    const example = exampleOf(name)
    return example === undefined ? braced : encodeURIComponent(String(example))
  })
  const query = new URLSearchParams(
    parameters
      .filter(field => field.in === 'query' && field.example !== undefined)
      .map(field => [field.name, String(field.example)]),
  ).toString()
  const headers: [string, string][] = []
  const contentType = endpoint.replies[0]?.contentType
  if (contentType === eventStream) headers.push(['Accept', eventStream])
  if (endpoint.envelope === 'file' && contentType !== undefined) headers.push(['Accept', contentType])
  if (permission.level !== 'public' && token !== undefined) headers.push(['Authorization', `Bearer ${token}`])
  const url = `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`
  if (fileBody !== null) {
    headers.push(['Content-Type', fileBody.contentType])
    return { method, url, headers, body: fileBody.example }
  }
  if (bodyExample === null) return { method, url, headers }
  if (isForm) {
    headers.push(['Content-Type', formType])
    return { method, url, headers, body: formText(bodyExample) }
  }
  headers.push(['Content-Type', 'application/json'])
  return { method, url, headers, body: JSON.stringify(bodyExample, null, 2) }
}

/**
 * The body as the value it is the JSON of, when writing that value again, in one line or indented, gives the very same text;
 * else undefined. What a language writes of the value is then what was meant: no long number or repeated key is lost.
 */
export function exactJson(body: string | undefined): { value: unknown } | undefined {
  if (body === undefined) return undefined
  try {
    const value: unknown = JSON.parse(body)
    if (JSON.stringify(value) === body || JSON.stringify(value, null, 2) === body) return { value }
  } catch {
    // Not JSON: it is sent as the text it is.
  }
  return undefined
}
