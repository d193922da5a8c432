// Reads the words of which header values are made (RFC 3261 §25.1): tokens, quoted strings, parameters, hosts, numbers. One
// cursor for all, as values are read one at a time; what does not fit is a flaw, which headers.ts turns into a fault.

export const tokenChar = 1
export const wordChar = 2
export const userChar = 4
export const passwordChar = 8
export const hostChar = 16
export const paramChar = 32
export const hnvChar = 64
export const uriChar = 128

/** For each ASCII code the sets it belongs to. '%' is in the sets of a URI only as the start of an escape. */
export const charSets = new Uint8Array(128)

function addTo(set: number, characters: string): void {
  for (let at = 0; at < characters.length; at++) charSets[characters.charCodeAt(at)]! |= set
}

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const unreserved = `${alphanumeric}-_.!~*'()`
addTo(tokenChar, `${alphanumeric}-.!%*_+\`'~`)
addTo(wordChar, `${alphanumeric}-.!%*_+\`'~()<>:\\"/[]?{}`)
// '#' has to be escaped in a user part; telephones send feature codes such as *21# as they are, and it is not ambiguous.
addTo(userChar, `${unreserved}&=+$,;?/#`)
addTo(passwordChar, `${unreserved}&=+$,`)
// '_' is in no host name of the standard, but in those of many private networks.
addTo(hostChar, `${alphanumeric}-._`)
addTo(paramChar, `${unreserved}[]/:&+$`)
addTo(hnvChar, `${unreserved}[]/?:+$`)
addTo(uriChar, `${unreserved};/?:@&=+$,[]`)

/** A parameter; one without '=' has no value. Quoted values are without their quotes. */
export type Param = { readonly name: string; readonly value: string | undefined }

/** What a reader throws. It is no Error, so that hostile traffic does not pay for stack traces. */
export type Flaw = { readonly flaw: string }

export function flaw(text: string): never {
  throw { flaw: text } satisfies Flaw
}

export function isFlaw(thrown: unknown): thrown is Flaw {
  return typeof thrown === 'object' && thrown !== null && 'flaw' in thrown
}

/** Parameters of one value; more are an attack on our patience. */
const maxParams = 64

let text = ''
let at = 0

/** Starts at the beginning of a value. */
export function open(value: string): void {
  text = value
  at = 0
}

export function isAtEnd(): boolean {
  return at >= text.length
}

export function position(): number {
  return at
}

export function moveTo(place: number): void {
  at = place
}

/** The code at the cursor; NaN at the end. */
export function peek(): number {
  return text.charCodeAt(at)
}

export function isInSet(code: number, set: number): boolean {
  return code < 128 && (charSets[code]! & set) !== 0
}

export function skipSpace(): void {
  for (let code = text.charCodeAt(at); code === 32 || code === 9; code = text.charCodeAt(++at));
}

/** Takes the character when it is the next one, with space around it. */
export function take(code: number): boolean {
  skipSpace()
  if (text.charCodeAt(at) !== code) return false
  at += 1
  skipSpace()
  return true
}

export function expect(code: number): void {
  if (!take(code)) flaw(`'${String.fromCharCode(code)}' expected at ${place()}`)
}

export function expectEnd(): void {
  skipSpace()
  if (at < text.length) flaw(`nothing more expected at ${place()}`)
}

export function place(): string {
  return at >= text.length ? 'its end' : `"${text.slice(at, at + 12)}"`
}

/** What follows of characters of a set, at least one. */
export function run(set: number, what: string): string {
  const start = at
  for (let code = text.charCodeAt(at); code < 128 && (charSets[code]! & set) !== 0; code = text.charCodeAt(++at));
  if (at === start) flaw(`${what} expected at ${place()}`)
  return text.slice(start, at)
}

export function token(what = 'a token'): string {
  return run(tokenChar, what)
}

/** A quoted string without its quotes and escapes. */
export function quoted(): string {
  const start = ++at
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 34) return text.slice(start, at++)
    if (code === 92) return escaped(start)
    checkQuoted(code)
    at += 1
  }
}

function escaped(start: number): string {
  let value = text.slice(start, at)
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      at += 1
      return value
    }
    checkQuoted(code)
    if (code === 92) {
      at += 1
      // A quoted pair may hold any ASCII but CR and LF, NUL too.
      const pair = text.charCodeAt(at)
      if (Number.isNaN(pair) || pair > 127) flaw('a quoted string ends in a lone backslash, or it escapes no ASCII')
    }
    value += text[at]
    at += 1
  }
}

function checkQuoted(code: number): void {
  if (Number.isNaN(code)) flaw('a quoted string is not closed')
  if ((code < 32 && code !== 9) || code === 127) flaw('a control character is in a quoted string')
}

/** Digits up to `max`, which must be a safe integer. */
export function number(max: number, what = 'a number'): number {
  const start = at
  let value = 0
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(++at)) {
    value = value * 10 + code - 48
    if (value > max) flaw(`${what} is above ${max}`)
  }
  if (at === start) flaw(`${what} expected at ${place()}`)
  return value
}

/** A host name, an IPv4 address or an IPv6 reference, as it is written (with its brackets). */
export function host(): string {
  if (text.charCodeAt(at) !== 91) return run(hostChar, 'a host')
  const end = text.indexOf(']', at)
  const address = end === -1 ? '' : text.slice(at, end + 1)
  if (!/^\[[0-9A-Fa-f:.]{2,45}\]$/.test(address)) flaw(`an IPv6 address in brackets expected at ${place()}`)
  at = end + 1
  return address
}

const noParams: readonly Param[] = Object.freeze([])

/** `;name=value` as often as it comes (generic-param). A name that comes twice is a flaw (§7.3.1). */
export function params(): readonly Param[] {
  skipSpace()
  if (text.charCodeAt(at) !== 59) return noParams
  const found: Param[] = []
  while (take(59)) {
    const name = token('a parameter name')
    for (const other of found) if (isSameParam(other.name, name)) flaw(`parameter ${name} comes twice`)
    if (found.length === maxParams) flaw(`more than ${maxParams} parameters`)
    found.push({ name, value: take(61) ? paramValue() : undefined })
  }
  return found
}

/** token / host / quoted-string; a bare IPv6 address passes too, as it does in `received` (RFC 5118 §4.5). */
export function paramValue(): string {
  if (text.charCodeAt(at) === 34) return quoted()
  const start = at
  for (let code = text.charCodeAt(at); isInSet(code, tokenChar) || isHostMark(code); code = text.charCodeAt(++at));
  if (at === start) flaw(`a parameter value expected at ${place()}`)
  return text.slice(start, at)
}

/** Visible characters up to a comma: what some devices send where a quoted string should be. */
export function bareValue(): string {
  const start = at
  for (let code = text.charCodeAt(at); code > 32 && code !== 44 && code !== 34; code = text.charCodeAt(++at));
  if (at === start) flaw(`a value expected at ${place()}`)
  return text.slice(start, at)
}

function isHostMark(code: number): boolean {
  return code === 58 || code === 91 || code === 93
}

function isSameParam(one: string, other: string): boolean {
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase())
}

/** The value of a parameter, '' when it has none, undefined when it is not there. Names in any case. */
export function param(holder: { readonly params: readonly Param[] }, name: string): string | undefined {
  for (const entry of holder.params) if (isSameParam(entry.name, name)) return entry.value ?? ''
  return undefined
}

/** The same with a parameter put in its place, or at the end. */
export function withParam<Holder extends { readonly params: readonly Param[] }>(
  holder: Holder,
  name: string,
  value: string | undefined,
): Holder {
  const entry = { name, value }
  const index = holder.params.findIndex(other => isSameParam(other.name, name))
  const params = index === -1 ? [...holder.params, entry] : holder.params.with(index, entry)
  return { ...holder, params }
}

export function withoutParam<Holder extends { readonly params: readonly Param[] }>(
  holder: Holder,
  name: string,
): Holder {
  return { ...holder, params: holder.params.filter(entry => !isSameParam(entry.name, name)) }
}
