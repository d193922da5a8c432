// How a noun of the product (leads, calls, trunks, …) declares what belongs to it and the kernel has to know without knowing the
// noun: permissions, event types, problems. Each noun has a `noun.ts` with one such value; server/src/nouns.ts gathers them.
import { type ProblemEntry, problem } from './problem_entry.ts'
import type { Role } from './role.ts'

export { problem }

export type NounFacts = {
  /** `leads:read`: the sentence that the Explorer and the key form show, and the roles that hold it beside Admin. */
  permissions?: Readonly<Record<string, { allows: string; roles: readonly Exclude<Role, 'Admin'>[] }>>
  /** `lead.created`: the sentence that people choosing among event types read. An event shows its resource: who sees it needs `readWith`. */
  events?: { readWith: string; types: Readonly<Record<string, string>> }
  /** Every way a request, or what it set off, can go wrong for reasons of this noun. Codes are unique in the product. */
  problems?: Readonly<Record<string, ProblemEntry>>
}

/**
 * What the nouns declare, by name. Each `noun.ts` adds itself here (`declare module`), from which the compiler knows all
 * permissions, event types and problem codes: a misspelt one does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: nouns add themselves to it
export interface Nouns {}

/** Keeps the names as literals, for the types made of them. */
export function declareNoun<const Facts extends NounFacts>(facts: Facts): Facts {
  return facts
}

type AnyNoun = Nouns[keyof Nouns]
type KeysIn<Table> = Table extends object ? keyof Table & string : never
type PartOf<Noun, Part extends string> = Noun extends Readonly<Record<Part, infer Table>> ? Table : never

/** Names of all permissions. */
export type Permission = KeysIn<PartOf<AnyNoun, 'permissions'>>
/** Names of all event types. */
export type EventType = KeysIn<PartOf<PartOf<AnyNoun, 'events'>, 'types'>>
/** Those that begin with a noun: `EventsOf<'lead'>`. */
export type EventsOf<Noun extends string> = Extract<EventType, `${Noun}.${string}`>
/** Codes of all problems that are of a noun. */
export type NounProblemCode = KeysIn<PartOf<AnyNoun, 'problems'>>
