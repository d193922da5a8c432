// Joins the reading of instructions with the rules of the server: numbers by the country of the tenant, addresses by what
// callbacks may reach.
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { ReadingContext } from './validate.ts'

export function readingContext(options: {
  egress: Services['egress']
  mode: 'live' | 'test'
  defaultCountry?: string | null
  baseUrl?: string
}): ReadingContext {
  const { egress, mode, defaultCountry, baseUrl } = options
  return {
    phone: text => parsePhone(text, defaultCountry ?? undefined),
    url(text) {
      try {
        return { href: customerUrl(text, egress, { mode }) }
      } catch (error) {
        const fault = error instanceof Problem ? error.details?.[0] : undefined
        if (fault === undefined) throw error
        return { code: fault.code, message: fault.message }
      }
    },
    baseUrl,
  }
}
