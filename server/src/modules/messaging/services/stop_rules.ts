// Clear requests in English to be texted no more that are not one word: "Please stop", "STOP ALL", "Take me off your list". The rules
// of the USA (47 CFR 64.1200(a)(10)) have senders honour them, by any reasonable means. Each pattern must fit a text as a whole, so that
// what only begins like one ("Please stop by at five", "Stop at the shop") is an ordinary text. Pure.

/** Words that always mean stop, as the rule lists them, and how they are usually joined. */
export const stopWords = ['STOP', 'STOPALL', 'QUIT', 'END', 'REVOKE', 'OPTOUT', 'CANCEL', 'UNSUBSCRIBE'] as const

/** Of these, those that mean nothing else when they are said politely: one may ask to cancel or end many things. */
const plainWords: readonly string[] = ['STOP', 'STOPALL', 'QUIT', 'REVOKE', 'OPTOUT', 'UNSUBSCRIBE']

/** Longer texts ask for more than that. */
const maxRequest = 160

const courtesy =
  /^(?:PLEASE|PLS|PLZ|KINDLY|HI|HELLO|HEY|OK|OKAY|SIR|MADAM|JUST|SORRY|BUT|AND|THANKS|THANK YOU|THX|ALREADY|NOW|IMMEDIATELY)\b ?|(?:^| )(?:PLEASE|PLS|PLZ|THANKS|THANK YOU|THX|NOW|IMMEDIATELY|ALREADY|ASAP|TODAY)$/

const me = '(?:ME|US|MY (?:PHONE|NUMBER|CELL)|THIS (?:PHONE|NUMBER))'
const texts =
  '(?:(?:TEXT |SMS |SPAM |MARKETING |PROMOTIONAL )?(?:TEXTS?|MESSAGES?|SMS|MSGS?|SPAM|ADS|ALERTS|NOTIFICATIONS|PROMOTIONS|MARKETING|MESSAGING|STUFF))'
const which = '(?:ALL|ANY|THE|THESE|THOSE|YOUR|MORE|FURTHER|OTHER|OF|SUCH|ANY MORE|ALL OF|ALL YOUR|ANY OF)'
const ending = `(?: (?:TO|FROM|FOR|WITH)? ?(?:${me}|YOU|NOW|ANYMORE|ANY MORE|AGAIN|EVER|EVER AGAIN|AT ALL|FOREVER|COMPANY|ANY LONGER))*`
const them = `(?:(?: ${which})* ${texts})`
const texting = '(?:TEXTING|MESSAGING|CONTACTING|SENDING|SPAMMING|BOTHERING|WRITING)'
const send = '(?:TEXT|MESSAGE|CONTACT|SEND|SPAM|BOTHER|WRITE)'
const list = `(?:(?: ${which}| THIS)* (?:(?:TEXT|TEXTING|SMS|MESSAGE|MESSAGING|MAILING|CONTACT|MARKETING|PHONE|DISTRIBUTION) )*(?:LISTS?|DATABASE|SYSTEM|SERVICE|SUBSCRIPTION|${texts}))`
const want = '(?:I|WE)(?: WOULD)?(?: REALLY)? (?:WANT|WISH|NEED|LIKE|D LIKE)'

const requests = [
  // Stop it. Stop all texts. Stop these messages to me. End texts.
  '(?:STOP|QUIT) (?:IT|THIS|THAT|ALL|EVERYTHING|NOW)',
  `(?:STOP|QUIT|END|CANCEL|NO MORE)${them}${ending}`,
  // Stop texting me. Quit sending me messages.
  `(?:STOP|QUIT|CEASE|END)(?: ${which})? ${texting}(?: (?:TO )?${me})?${them}?${ending}`,
  // Do not text me again. Never contact this number.
  `(?:DO NOT|DONT|NEVER|DO NOT EVER|DONT EVER) ${send}(?: (?:TO )?${me})?${them}?${ending}`,
  // Unsubscribe me. Opt me out of these texts. Remove my number from your list. Take me off the list.
  `(?:UNSUBSCRIBE|REMOVE|DELETE)(?: ${me})(?: (?:FROM|OFF|OF)${list}| (?:FROM|OFF|OF) (?:THIS|HERE))?`,
  `(?:UNSUBSCRIBE|OPT ?OUT)(?: (?:FROM|OFF|OF)${list}| (?:FROM|OFF|OF) (?:THIS|ALL))`,
  `OPT ${me} OUT(?: OF${list}| OF (?:THIS|ALL))?`,
  `(?:TAKE|GET) ${me} (?:OFF|OUT|OFF OF)${list}`,
  // I want to opt out. I would like to be removed from your list.
  `${want} TO (?:STOP|QUIT|UNSUBSCRIBE|OPT ?OUT|BE REMOVED|BE TAKEN OFF|BE UNSUBSCRIBED)(?: (?:FROM|OF|OFF)?${list})?`,
  `${want} TO STOP (?:GETTING|RECEIVING)${them}${ending}`,
  `(?:I|WE) (?:DO NOT|DONT|NO LONGER) (?:WANT|WISH|NEED|LIKE)(?: TO (?:GET|RECEIVE|HAVE|BE SENT))?${them}${ending}`,
  `(?:I|WE) (?:DO NOT|DONT|NO LONGER) (?:WANT|WISH) TO (?:BE (?:TEXTED|CONTACTED|MESSAGED)|HEAR FROM YOU)${ending}`,
  // I revoke my consent.
  '(?:(?:I|WE) )?(?:HEREBY )?(?:REVOKE|WITHDRAW)(?: (?:MY|OUR|ALL|ANY))* CONSENT',
  'LEAVE ME ALONE',
]
const request = new RegExp(`^(?:${requests.join('|')})$`)

/**
 * Whether a text clearly asks for no more texts, in more than a word.
 * @param isStopWord whether a word alone means that, in the words of whom it was sent to
 * @returns the text as it was understood, in capital letters without marks and courtesies; undefined for other texts
 */
export function stopRequest(text: string, isStopWord: (word: string) => boolean): string | undefined {
  if (text.length > maxRequest) return undefined
  const plain = plainText(text)
  let asked = plain
  for (let left = ''; left !== asked; ) {
    left = asked
    asked = asked.replace(courtesy, '').trim()
  }
  if (asked === '') return undefined
  const words = asked.split(' ')
  // OPT OUT, STOP ALL, UN-SUBSCRIBE; STOP STOP STOP.
  const joined = words.join('')
  const isPolite = asked !== plain
  const isWord = (word: string) => (isPolite ? plainWords.includes(word) : isStopWord(word))
  if ((words.length <= 3 && isWord(joined)) || words.every(word => plainWords.includes(word))) return asked
  return request.test(asked) ? asked : undefined
}

/** In capital letters, with one blank for everything between words. "Don’t" is one word, as is what a hyphen joins in "opt-out". */
function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
