// Where a carrier takes traffic to: a list of number prefixes, one spelling each, no prefix twice. What else stands with a
// prefix (priority, cost, weight) is the business of anyone who routes by it.
import { Type } from 'typebox'
import type { FieldFault } from '../values/problem.ts'

/** The beginning of an international number; empty for every destination. */
export function RoutePrefix(description: string) {
  return Type.String({
    title: 'Prefix',
    pattern: '^(?:\\+(?:[1-9]\\d{0,14})?)?$',
    errorMessage: 'must be the beginning of an international number, such as +49; empty for every destination',
    description,
  })
}

/** Faults of the list that the schema of one route cannot see. */
export function routeFaults(routes: readonly { prefix: string }[]): FieldFault[] {
  const known = new Set<string>()
  return routes.flatMap(({ prefix }, index) => {
    const isKnown = known.has(prefix)
    known.add(prefix)
    if (!isKnown) return []
    const named = prefix === '' ? 'every destination' : prefix
    return [{ field: `routes[${index}].prefix`, code: 'not_allowed', message: `lists ${named} a second time` }]
  })
}

/** One spelling for every destination. */
export function plainRoutes<R extends { prefix: string }>(routes: readonly R[]): R[] {
  return routes.map(route => (route.prefix === '+' ? { ...route, prefix: '' } : route))
}
