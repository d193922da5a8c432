// Telephone numbers as people write them: the national form for numbers of the own country, the international one for all others.

/** By calling code: its countries (ISO 3166-1, blanks between), and how its numbers are grouped, the first that fits. */
export type PhoneFormats = Readonly<
  Record<
    string,
    readonly [
      countries: string,
      groups: readonly (readonly [pattern: string, home: string, abroad: string | 0, begins: string])[],
    ]
  >
>

const isE164 = /^\+[1-9]\d{5,14}$/

/** Numbers of the simulator are of no network and no country: nobody would know them in the form of one. */
const isSimulated = /^\+1(500)(555)(\d{4})$/

/**
 * `(612) 555-0196` for `+16125550196` in the US, `+1 612 555 0196` elsewhere, as libphonenumber writes them. What is no number in
 * E.164 (a sender, an address) stays as it is.
 * @param country where numbers are at home; countries that share a calling code call each other like themselves
 * @param formats `phoneFormats`, once they are there; without them only numbers of the simulator are grouped
 */
export function phoneText(number: string, country: string | null, formats: PhoneFormats = {}): string {
  if (!isE164.test(number)) return number
  const simulated = isSimulated.exec(number)
  if (simulated !== null) return `+1 ${simulated.slice(1).join(' ')}`
  const code = codeOf(number, formats)
  if (code === undefined) return number
  const [countries, groups] = formats[code] ?? ['', []]
  const national = number.slice(code.length + 1)
  const isHome = country !== null && countries.split(' ').includes(country)
  const found = groups.find(
    ([pattern, , , begins]) =>
      expression(`^(?:${begins})`).test(national) && expression(`^(?:${pattern})$`).test(national),
  )
  if (found === undefined) return isHome ? national : `+${code} ${national}`
  const [pattern, home, abroad] = found
  const grouped = national.replace(expression(pattern), isHome || abroad === 0 ? home : abroad)
  return isHome ? grouped : `+${code} ${grouped}`
}

/** What may be called, also an address of the portal's own phone: `avery@example.com`. */
export function clientOf(address: string): string | undefined {
  return /^client:(.+)$/.exec(address)?.[1]
}

function codeOf(number: string, formats: PhoneFormats): string | undefined {
  return [1, 2, 3].map(length => number.slice(1, length + 1)).find(code => code in formats)
}

const expressions = new Map<string, RegExp>()
function expression(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern)
  expressions.set(pattern, known)
  return known
}
