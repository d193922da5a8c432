// Made by `npm run generate` of the server's nouns; not to be changed by hand.
import type { NounDescription } from '../noun.ts'

export const describedNouns: Readonly<Record<string, () => Promise<NounDescription>>> = {
  lead: () => import('./leads.generated.ts').then(module => module.leads),
  company: () => import('./companies.generated.ts').then(module => module.companies),
  contact: () => import('./contacts.generated.ts').then(module => module.contacts),
}
