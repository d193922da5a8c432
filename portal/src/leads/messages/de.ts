// The German texts of leads.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  about: 'Personen und Anfragen, die Sie gewinnen möchten.',
  converted: '{name} ist jetzt der Kontakt {contact}.',
  convert: 'Konvertieren',
  convertTitle: '{name} konvertieren',
  convertText: 'Die Person wird ein Kontakt, und das Unternehmen, für das sie spricht, wird ein Unternehmen.',
  useContact: 'Kontakt',
  useCompany: 'Unternehmen',
  asItFits: 'Automatisch wählen',
  previewing: 'Ergebnis wird geprüft',
  contact: 'Kontakt',
  company: 'Unternehmen',
  partNone: 'keines',
  partNew: '{title}, neu',
  partKnown: '{title}, schon vorhanden',
  qualify: 'Qualifizieren',
  reopen: 'Wieder öffnen',
  openContact: 'Kontakt öffnen',
  'give.Junk': '{name} als unbrauchbar markieren',
  'give.Unqualified': '{name} aufgeben',
  'giveText.Junk': 'Das ist keine echte Anfrage.',
  'giveText.Unqualified': 'Vorerst wird daraus kein Kunde.',
  moveTo: 'Verschieben nach „{status}“',
  why: 'Warum',
  moved: '{name} steht jetzt auf „{status}“.',
}
