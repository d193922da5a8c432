// All samples of a request, in the order in which they are offered.
import type { Endpoint } from '../model.ts'
import { toCurl } from './curl.ts'
import { type SampleKind, type SampleLanguage, sampleKinds } from './kinds.ts'
import { csharp, go, java, javascript, kotlin, php, powershell, python, ruby, rust, type Writer } from './languages.ts'
import type { RequestValue } from './request.ts'
import { sdkSample } from './sdk.ts'

export type CodeSample = SampleKind & { code: string }

export type SampleOptions = {
  /** The endpoint the request is for: adds the sample with the SDK. */
  endpoint?: Endpoint
  /** Environment variable that is in the code instead of the bearer token, so that no secret is copied. */
  tokenVariable?: string
}

const writers: Record<Exclude<SampleLanguage, 'typescript'>, Writer> = {
  curl: toCurl,
  javascript,
  python,
  go,
  php,
  ruby,
  java,
  csharp,
  kotlin,
  rust,
  powershell,
}

/**
 * Source code that sends `request`, in 11 languages, and in TypeScript with the SDK when the endpoint is known. A stream
 * (Accept: text/event-stream) is printed as it comes; PowerShell has no command for that and is left out.
 */
export function samplesFor(request: RequestValue, { endpoint, tokenVariable }: SampleOptions = {}): CodeSample[] {
  return sampleKinds(request).flatMap(kind => {
    const { language } = kind
    if (language !== 'typescript') return { ...kind, code: writers[language](request, tokenVariable) }
    const code = endpoint === undefined ? undefined : sdkSample(request, endpoint, tokenVariable)
    return code === undefined ? [] : { ...kind, code }
  })
}
