// The vocabulary of the product: permissions with their roles, event types, problems. Gathered once from the nouns
// (server/src/nouns.ts) and what the kernel adds itself; the kernel reads it when it answers, never when it is loaded.
import { kernelProblems } from './kernel_problems.ts'
import type { EventType, NounFacts, NounProblemCode, Nouns, Permission } from './noun.ts'
import type { ProblemEntry } from './problem_entry.ts'
import { type Role, roles } from './role.ts'

export type ProblemCode = keyof typeof kernelProblems | NounProblemCode

export type Vocabulary = {
  /** With the sentence that the Explorer and the key form show. */
  permissions: Readonly<Record<Permission, string>>
  /** What each role holds. Roles are sets of permissions, nothing more. */
  rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>>
  /** With the sentence that people choosing among them read. */
  eventTypes: Readonly<Record<EventType, string>>
  /** What types of events begin with (`lead`, `opt_out`), and the permission to see those. */
  eventReaders: ReadonlyMap<string, Permission>
  problems: Readonly<Record<ProblemCode, ProblemEntry>>
}

/** What all nouns declare together; one that is left out does not compile. */
export function gatherNouns(nouns: Nouns): Vocabulary {
  return gather({ ...nouns })
}

/** @throws Error where something is declared twice, or events are seen with a permission that no noun declares */
export function gather(nouns: Readonly<Record<string, NounFacts>>): Vocabulary {
  const facts = Object.entries(nouns)
  const permissions = merged('permission', [...facts.map(([name, noun]) => [name, noun.permissions ?? {}] as const)])
  const eventTypes = merged('event type', [...facts.map(([name, noun]) => [name, noun.events?.types ?? {}] as const)])
  const problems = merged<ProblemEntry>('problem', [
    ['the kernel', kernelProblems],
    ...facts.map(([name, noun]) => [name, noun.problems ?? {}] as const),
  ])
  const heldBy = (role: Role) =>
    Object.keys(permissions).filter(name => role === 'Admin' || permissions[name]?.roles.includes(role))
  const eventReaders = new Map<string, string>()
  for (const [name, { events }] of facts) {
    for (const type of Object.keys(events?.types ?? {})) eventReaders.set(type.split('.')[0]!, events!.readWith)
    if (events !== undefined && !Object.hasOwn(permissions, events.readWith))
      throw new Error(`events of ${name} are seen with ${events.readWith}, which no noun declares`)
  }
  return {
    permissions: Object.fromEntries(Object.entries(permissions).map(([name, { allows }]) => [name, allows])),
    rolePermissions: Object.fromEntries(roles.map(role => [role, new Set(heldBy(role))])),
    eventTypes,
    eventReaders,
    problems,
  } as unknown as Vocabulary
}

/** One table of several; `what` names its entries to anyone who declares one twice. */
function merged<Entry>(what: string, parts: readonly (readonly [string, Readonly<Record<string, Entry>>])[]) {
  const owners = new Map<string, string>()
  const table: Record<string, Entry> = {}
  for (const [noun, entries] of parts) {
    for (const [name, entry] of Object.entries(entries)) {
      const owner = owners.get(name)
      if (owner !== undefined) throw new Error(`the ${what} ${name} is declared by ${owner} and by ${noun}`)
      owners.set(name, noun)
      table[name] = entry
    }
  }
  return table
}

let inUse: Vocabulary | undefined

/** Makes this the vocabulary of the process. */
export function useVocabulary(gathered: Vocabulary): Vocabulary {
  inUse = gathered
  return gathered
}

/** @throws Error in a process that has not loaded the nouns: a test of single files imports server/src/nouns.ts */
export function vocabulary(): Vocabulary {
  if (inUse === undefined) throw new Error('no nouns are loaded: import server/src/nouns.ts')
  return inUse
}

/** The problem of a code; undefined for one of a noun, where no nouns are loaded. */
export function problemEntry(code: ProblemCode): ProblemEntry | undefined {
  if (Object.hasOwn(kernelProblems, code)) return kernelProblems[code as keyof typeof kernelProblems]
  return inUse?.problems[code]
}
