// All samples of a request, in the order in which they are offered.
import type { Endpoint } from '../model.ts'
import { toCurl } from './curl.ts'
import { csharp, go, java, javascript, kotlin, php, powershell, python, ruby, rust, type Writer } from './languages.ts'
import { asksForStream, type RequestValue } from './request.ts'
import { sdkSample } from './sdk.ts'

export type SampleLanguage =
  | 'curl'
  | 'javascript'
  | 'typescript'
  | 'python'
  | 'go'
  | 'php'
  | 'ruby'
  | 'java'
  | 'csharp'
  | 'kotlin'
  | 'rust'
  | 'powershell'

export type CodeSample = {
  language: SampleLanguage
  /** `cURL`, `TypeScript`. */
  label: string
  /** What it is written with: `fetch`, `@tandem/sdk`, `requests`. */
  library: string
  code: string
}

export type SampleOptions = {
  /** The endpoint the request is for: adds the sample with the SDK. */
  endpoint?: Endpoint
  /** Environment variable that stands in the code instead of the bearer token, so that no secret is copied. */
  tokenVariable?: string
}

const writers: [SampleLanguage, string, string, Writer][] = [
  ['curl', 'cURL', 'curl', toCurl],
  ['javascript', 'JavaScript', 'fetch', javascript],
  ['python', 'Python', 'requests', python],
  ['go', 'Go', 'net/http', go],
  ['php', 'PHP', 'curl', php],
  ['ruby', 'Ruby', 'net/http', ruby],
  ['java', 'Java', 'java.net.http', java],
  ['csharp', 'C#', 'HttpClient', csharp],
  ['kotlin', 'Kotlin', 'java.net.http', kotlin],
  ['rust', 'Rust', 'reqwest', rust],
  ['powershell', 'PowerShell', 'Invoke-RestMethod', powershell],
]

/**
 * Source code that sends `request`, in 11 languages, and in TypeScript with the SDK when the endpoint is known. A stream
 * (Accept: text/event-stream) is printed as it comes; PowerShell has no command for that and is left out.
 */
export function samplesFor(request: RequestValue, { endpoint, tokenVariable }: SampleOptions = {}): CodeSample[] {
  const able = writers.filter(([language]) => language !== 'powershell' || !asksForStream(request))
  const samples = able.map(([language, label, library, write]) => {
    return { language, label, library, code: write(request, tokenVariable) }
  })
  const code = endpoint === undefined ? undefined : sdkSample(request, endpoint, tokenVariable)
  if (code === undefined) return samples
  const typescript: CodeSample = { language: 'typescript', label: 'TypeScript', library: '@tandem/sdk', code }
  return samples.toSpliced(2, 0, typescript)
}
