// The problems of the server by their titles, as messages of the portal: what they mean in other languages is written beside them. In
// English people read the server's own sentence, which is more exact.
import { en as own } from '../portal/src/ui/messages/en.ts'
import { vocabulary } from '../server/src/kernel/values/vocabulary.ts'
import '../server/src/nouns.ts'
import { enModule } from './portal_messages.ts'

/** Texts by path, below the repository. Those that the portal has a sentence of its own for are left out. */
export function portalProblems(): Record<string, string> {
  const problems = Object.entries(vocabulary().problems).filter(([code]) => !(`problem.${code}` in own))
  const texts = problems.map(([code, { title }]): [string, string] => [`said.${code}`, title])
  return { 'portal/src/problems/messages/en.ts': enModule('problems', texts) }
}
