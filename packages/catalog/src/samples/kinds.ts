// What samples there are, apart from the code that writes them: a page may name them all and fetch their writers when one is wanted.
import { asksForStream, type RequestValue } from './request.ts'

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

/** A language and what its sample is written with: `TypeScript`, `@tandem/sdk`; `Python`, `requests`. */
export type SampleKind = { language: SampleLanguage; label: string; library: string }

const kinds: [SampleLanguage, string, string][] = [
  ['curl', 'cURL', 'curl'],
  ['javascript', 'JavaScript', 'fetch'],
  ['typescript', 'TypeScript', '@tandem/sdk'],
  ['python', 'Python', 'requests'],
  ['go', 'Go', 'net/http'],
  ['php', 'PHP', 'curl'],
  ['ruby', 'Ruby', 'net/http'],
  ['java', 'Java', 'java.net.http'],
  ['csharp', 'C#', 'HttpClient'],
  ['kotlin', 'Kotlin', 'java.net.http'],
  ['rust', 'Rust', 'reqwest'],
  ['powershell', 'PowerShell', 'Invoke-RestMethod'],
]

/** The samples of a request in their order; of a stream there is none for PowerShell, which has no command for that, and a file is sent by cURL. */
export function sampleKinds(request: RequestValue): SampleKind[] {
  return kinds
    .filter(([language]) => request.file === undefined || language === 'curl')
    .filter(([language]) => language !== 'powershell' || !asksForStream(request))
    .map(([language, label, library]) => ({ language, label, library }))
}
