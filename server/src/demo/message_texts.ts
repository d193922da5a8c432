// What the demo company writes to its customers and what they answer, in their language. Pure.
import { type CountryCode, countryBy } from './places.ts'
import type { Random } from './random.ts'

/** Who is written to, and the facts a text may name. */
export type Facts = {
  firstName: string
  country: CountryCode
  /** First name of the colleague who writes. */
  colleague: string
  /** The day it is about, ms since 1970. */
  dayMs: number
  hour: number
  number?: string
  amountMinor?: number
  currency?: string
}

export type TextKind = 'appointment' | 'visit' | 'shipped' | 'invoice' | 'reminder'

type Said = Omit<Facts, 'dayMs' | 'hour' | 'amountMinor'> & { day: string; time: string; amount: string }
type Wording = Record<TextKind, (said: Said) => string>

const wordings: Record<'en' | 'de' | 'fr', Wording> = {
  en: {
    appointment: ({ firstName, colleague, day, time }) =>
      `Hi ${firstName}, ${colleague} from Harbor Roast here. Thank you for asking about our machines. ` +
      `May I call you on ${day} at ${time}? Reply YES or tell me a better time.`,
    visit: ({ firstName, day, time }) =>
      `Hi ${firstName}, our technician comes on ${day} around ${time}. ` +
      'Please have the machine switched on and the water tap free. Harbor Roast Supply',
    shipped: ({ firstName, day }) =>
      `Good news ${firstName}: your order left our warehouse and arrives on ${day}. Harbor Roast Supply`,
    invoice: ({ number, amount, day }) =>
      `Harbor Roast Supply: invoice ${number} over ${amount} is on its way to you by e-mail. ` +
      `It is due on ${day}. Thank you!`,
    reminder: ({ firstName, number, amount, day }) =>
      `Hello ${firstName}, a friendly reminder: invoice ${number} over ${amount} was due on ${day}. ` +
      'If you have paid already, please ignore this text. Harbor Roast Supply',
  },
  de: {
    appointment: ({ firstName, colleague, day, time }) =>
      `Guten Tag ${firstName}, hier ist ${colleague} von Harbor Roast. Danke für Ihre Anfrage! ` +
      `Darf ich Sie am ${day} um ${time} Uhr anrufen? ` +
      'Antworten Sie mit JA oder nennen Sie mir eine bessere Zeit.',
    visit: ({ day, time }) =>
      `Unser Techniker kommt am ${day} gegen ${time} Uhr. Bitte lassen Sie die Maschine eingeschaltet. ` +
      'Ihr Team von Harbor Roast',
    shipped: ({ day }) => `Ihre Bestellung ist unterwegs und kommt am ${day} an. Vielen Dank! Harbor Roast Supply`,
    invoice: ({ number, amount, day }) =>
      `Harbor Roast Supply: Die Rechnung ${number} über ${amount} kommt per E-Mail zu Ihnen. Sie ist am ${day} fällig.`,
    reminder: ({ number, amount, day }) =>
      `Freundliche Erinnerung: Die Rechnung ${number} über ${amount} war am ${day} fällig. ` +
      'Falls Sie schon bezahlt haben, ist diese Nachricht gegenstandslos. Harbor Roast Supply',
  },
  fr: {
    appointment: ({ firstName, colleague, day, time }) =>
      `Bonjour ${firstName}, ici ${colleague} de Harbor Roast. Merci pour votre demande ! ` +
      `Puis-je vous appeler ${day} à ${time} ? Répondez OUI ou proposez une autre heure.`,
    visit: ({ day, time }) =>
      `Notre technicien passe ${day} vers ${time}. Merci de laisser la machine allumée. Harbor Roast Supply`,
    shipped: ({ day }) =>
      `Votre commande est en route et arrive ${day}. Merci de votre confiance ! Harbor Roast Supply`,
    invoice: ({ number, amount, day }) =>
      `Harbor Roast Supply : la facture ${number} de ${amount} vous parvient par e-mail. Échéance : ${day}. Merci !`,
    reminder: ({ number, amount, day }) =>
      `Petit rappel : la facture ${number} de ${amount} était due ${day}. ` +
      "Si vous l'avez déjà réglée, ignorez ce message. Harbor Roast Supply",
  },
}

const answers: Record<'en' | 'de' | 'fr', Record<'appointment' | 'visit' | 'reminder', readonly string[]>> = {
  en: {
    appointment: [
      'YES',
      'Yes, that works',
      'Yes please',
      'Could we do an hour later?',
      'In a meeting then, tomorrow morning?',
      'OK',
    ],
    visit: ['Great, thanks', 'Please use the back entrance', 'Can he bring two filters as well?', 'Thank you 👍'],
    reminder: [
      'Paid this morning',
      'Sorry, will pay on Friday',
      'Please send it again to the office address',
      'Already transferred last week',
    ],
  },
  de: {
    appointment: ['JA', 'Ja, gerne', 'Passt, danke', 'Lieber eine Stunde später', 'Bitte erst nächste Woche'],
    visit: ['Danke!', 'Bitte Hintereingang benutzen', 'Alles klar 👍'],
    reminder: ['Wurde gestern überwiesen', 'Entschuldigung, geht heute raus', 'Bitte nochmals per E-Mail senden'],
  },
  fr: {
    appointment: ['OUI', 'Oui, merci', 'Plutôt une heure plus tard', 'Parfait, à bientôt'],
    visit: ['Merci !', "D'accord", 'Passez par la cour svp'],
    reminder: ['Réglée ce matin', 'Désolé, le virement part vendredi', 'Pouvez-vous renvoyer la facture ?'],
  },
}

const locales = { en: 'en-US', de: 'de-DE', fr: 'fr-FR' } as const

/** The language a customer is written to in: English where the company has no other. */
function tongueOf(country: CountryCode): 'en' | 'de' | 'fr' {
  const { language } = countryBy(country)
  return language === 'sv' ? 'en' : language
}

export function textOf(kind: TextKind, facts: Facts): string {
  const tongue = tongueOf(facts.country)
  const { dayMs, hour, amountMinor, currency = 'USD', ...rest } = facts
  const day = days[tongue].format(dayMs)
  const time = tongue === 'fr' ? `${hour} h` : `${hour}:00`
  const amount = amountMinor === undefined ? '' : money(locales[tongue], amountMinor, currency)
  return wordings[tongue][kind]({ ...rest, currency, day, time, amount })
}

/** What people write back, when they do. */
export function answerTo(random: Random, kind: 'appointment' | 'visit' | 'reminder', country: CountryCode): string {
  return random.pick(answers[tongueOf(country)][kind])
}

const dayStyle = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const days = {
  en: new Intl.DateTimeFormat(locales.en, dayStyle),
  de: new Intl.DateTimeFormat(locales.de, dayStyle),
  fr: new Intl.DateTimeFormat(locales.fr, dayStyle),
}

/** Without the non-breaking blanks of typographers: they are not in the alphabet of text messages. */
function money(locale: string, amountMinor: number, currency: string): string {
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amountMinor / 100)
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}
