// What the portal says of problems, in English: the server's own words, parted by what they are about so that each file stays short.
// `portal/src/problems` says them in other languages.
import type { ProblemEntry } from '../server/src/kernel/values/problem.ts'
import { nouns, problems } from '../server/src/nouns.ts'
import { enModule } from './portal_messages.ts'

const heading = "// Made by `npm run generate` of the server's problems; not to be changed by hand.\n"

/** The nouns at which another area begins, in the order of `nouns`; what the kernel declares is the first. */
const areas: Readonly<Record<string, string>> = {
  login: 'accounts',
  organization: 'organizations',
  oauthApp: 'apps',
  attachment: 'records',
  message: 'messages',
  mail: 'mails',
  carrier: 'calls',
  webhook: 'webhooks',
}

/** Texts by path, below the repository. */
export function portalProblems(): Record<string, string> {
  const files = [...byArea()].map(([area, entries]) => [
    `portal/src/problems/${area}/messages/en.ts`,
    enModule('problems', entries.flatMap(textsOf)),
  ])
  const lengths = Object.entries<ProblemEntry>(problems).map(([code, { cause, fix }]) => [
    code,
    `${cause} ${fix}`.length,
  ])
  const text = JSON.stringify(Object.fromEntries(lengths))
  return {
    ...Object.fromEntries(files),
    'portal/src/problems/usual_lengths.generated.ts': `${heading}export const usualLengths: Readonly<Record<string, number>> = JSON.parse('${text}')\n`,
  }
}

type Entry = readonly [code: string, problem: ProblemEntry]

function byArea(): Map<string, Entry[]> {
  const areaOf = new Map<string, string>()
  let area = 'requests'
  for (const [name, noun] of Object.entries(nouns)) {
    area = areas[name] ?? area
    for (const code of Object.keys(noun.problems ?? {})) areaOf.set(code, area)
  }
  return Map.groupBy(Object.entries<ProblemEntry>(problems), ([code]) => areaOf.get(code) ?? 'requests')
}

const textsOf = ([code, { title, cause, fix }]: Entry) =>
  Object.entries({ title, cause, fix }).map(([part, text]): [string, string] => [`${part}.${code}`, text])
