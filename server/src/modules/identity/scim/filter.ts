// Filters of SCIM, as far as identity providers use them: equalities with `and` between (RFC 7644 §3.4.2.2). Pure.
import { scimFault } from './fault.ts'

export type Equality = { attribute: string; value: string | boolean }

const equality = /^([a-z][\w$.:-]*(?:\[[^\]]*\](?:\.\w+)?)?)\s+(\w+)\s+("(?:[^"\\]|\\.)*"|true|false|[\w.@+-]+)\s*/i

/**
 * The equalities of a filter, all of which must hold.
 * @param known attributes by their names in small letters
 * @throws a fault `invalidFilter`
 */
export function parseFilter(text: string, known: Readonly<Record<string, string>>): Equality[] {
  const found: Equality[] = []
  let rest = text.trim()
  while (rest !== '') {
    const match = equality.exec(rest)
    if (match === null) throw refused(text)
    const [all, path = '', operator = '', literal = ''] = match
    if (operator.toLowerCase() !== 'eq') throw refused(text)
    const attribute = known[nameOf(path)]
    if (attribute === undefined) throw refused(text)
    found.push({ attribute, value: literalOf(literal, text) })
    rest = rest.slice(all.length)
    const joined = /^and\s+/i.exec(rest)
    if (joined === null && rest !== '') throw refused(text)
    if (joined !== null) {
      rest = rest.slice(joined[0].length)
      if (rest === '') throw refused(text)
    }
  }
  if (found.length === 0 || found.length > 10) throw refused(text)
  return found
}

/** Without the name of the schema, and of `emails[type eq "work"].value` without what chooses one of several. */
function nameOf(path: string): string {
  return path
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/i, '')
    .replace(/\[[^\]]*\]/, '')
    .toLowerCase()
}

function literalOf(literal: string, filter: string): string | boolean {
  const small = literal.toLowerCase()
  if (small === 'true' || small === 'false') return small === 'true'
  const value = textOfLiteral(literal)
  if (value === undefined) throw refused(filter)
  return value
}

/** A text as filters and paths have it, bare or in quotes; undefined for one that is no JSON, or that cannot be kept. */
export function textOfLiteral(literal: string): string | undefined {
  if (!literal.startsWith('"')) return literal
  try {
    const value = JSON.parse(literal) as string
    if (!/\0/.test(value) && value.isWellFormed()) return value
  } catch {}
  return undefined
}

function refused(filter: string) {
  const text = `The filter is not understood: ${filter.slice(0, 200)}. Use eq, with and between, on the attributes of ServiceProviderConfig.`
  return scimFault(400, text, 'invalidFilter')
}
