// Bodies that are forms (application/x-www-form-urlencoded, WHATWG URL §5): their text as rows, and rows as text. Variables stay readable in
// the text, and are escaped when they get their value.
import { formType } from '@tandem/catalog'
import type { Row } from './row.ts'
import { fill, type Lookup } from './variables.ts'

/** Whether a request says that its body is a form. */
export function isForm(headers: readonly Row[]): boolean {
  return headers.some(
    ({ name, value, enabled }) =>
      enabled && name.trim().toLowerCase() === 'content-type' && value.trim().toLowerCase().startsWith(formType),
  )
}

/** Whether a request says that its body is neither JSON nor a form: a file, or text of another kind. */
export function isFile(headers: readonly Row[]): boolean {
  const type = headers.find(({ name, enabled }) => enabled && name.trim().toLowerCase() === 'content-type')?.value ?? ''
  return type.includes('/') && !/[/+]json\b/i.test(type) && !isForm(headers)
}

export function formRows(text: string): Row[] {
  return [...new URLSearchParams(text.trim())].map(([name, value]) => ({ name, value, enabled: true }))
}

const variable = /%7B%7B([A-Za-z_][\w.-]*)%7D%7D/g
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll(variable, '{{$1}}')

/** Rows that are switched off are left out. */
export function textOfRows(rows: readonly Row[]): string {
  return rows
    .filter(({ name, value, enabled }) => enabled && (name !== '' || value !== ''))
    .map(({ name, value }) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
}

/** As `fill`, for a form: what a variable holds ends no field. */
export function fillForm(text: string, lookup: Lookup, missing: Set<string>): string {
  const escaped: Lookup = name => {
    const value = lookup(name)
    return value === undefined ? undefined : encodeURIComponent(value.toWellFormed())
  }
  return fill(text, escaped, missing)
}
