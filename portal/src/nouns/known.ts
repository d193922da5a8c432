// Every noun that a record may name, as far as it is known without loading its description; and where that is.
import { nouns } from '../navigation/nouns.generated.ts'
import { describedNouns } from './described/all.generated.ts'
import type { NounDescription } from './noun.ts'

export type KnownNoun = {
  many: string
  word: string
  /** The field that a record is called by. */
  title: string
  /** What ids begin with; where it is left out, ids are numbers. */
  prefix?: string
  /** Whether its records can be imported from files. */
  imported?: boolean
}

/** Described by hand. */
const [word, title] = ['invoice', 'number']

const known: Readonly<Record<string, KnownNoun>> = {
  ...nouns,
  invoice: { many: 'invoices', word, title },
}

const loaders: Readonly<Record<string, () => Promise<NounDescription>>> = {
  ...describedNouns,
  lead: () => import('../leads/lead_noun.ts').then(module => module.leads),
  contact: () => import('../contacts/contact_noun.ts').then(module => module.contacts),
  company: () => import('../companies/company_noun.ts').then(module => module.companies),
  invoice: () => import('../invoices/invoice_noun.ts').then(module => module.invoices),
}

export function knownNoun(one: string): KnownNoun | undefined {
  return known[one]
}

/** A noun by its plural. */
export function knownNounBy(many: string): (KnownNoun & { one: string }) | undefined {
  return allKnown().find(noun => noun.many === many)
}

/** Nouns whose records are imported from files. */
export const importedNouns = () => allKnown().filter(({ imported }) => imported === true)

const allKnown = () => Object.entries(known).map(([one, noun]) => ({ one, ...noun }))

/** @throws Error for a noun that is not described */
export function loadNoun(one: string): Promise<NounDescription> {
  const load = loaders[one]
  if (load === undefined) throw new Error(`no noun is called ${one}`)
  return load()
}
