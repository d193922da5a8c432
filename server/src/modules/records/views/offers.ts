// What the lists of the product offer to views: columns, filters and orders, read from their endpoints.
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { compileValidator } from '../../../kernel/endpoint/validate.ts'
import type { Offer } from './rules.ts'

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema }

/** Parameters that say which part of a list is sent, and how. */
const paging = new Set(['page', 'limit', 'cursor', 'sort', 'fields', 'include'])

/** The list endpoints of the catalog, by the noun in their id: `companies` of `companies.list`. */
export function listsOf(catalog: readonly Endpoint[]): Map<string, Endpoint> {
  const lists = catalog.filter(({ id, method, permission }) => {
    return method === 'GET' && permission !== 'public' && /^[a-z_]+\.list$/.test(id)
  })
  return new Map(lists.map(list => [list.id.slice(0, -'.list'.length), list]))
}

const offers = new WeakMap<Endpoint, Offer>()

export function offerOf(list: Endpoint): Offer {
  let offer = offers.get(list)
  if (offer === undefined) {
    offer = read(list)
    offers.set(list, offer)
  }
  return offer
}

function read({ query, reply, envelope, check }: Endpoint): Offer {
  const parameters = Object.keys((query as Schema | undefined)?.properties ?? {})
  const shown = reply as Schema
  const rows =
    envelope === 'page' ? shown : Object.values(shown.properties ?? {}).find(({ type }) => type === 'array')?.items
  const isTagged = parameters.includes('tags')
  const validate = compileValidator({ query: query as TSchema })
  return {
    columns: [...Object.keys(rows?.properties ?? {}), ...(isTagged ? ['tags'] : [])],
    filters: parameters.filter(name => !paging.has(name)),
    isSortable: parameters.includes('sort'),
    faultsOf(filters) {
      // The validator converts what it is given.
      const given = { ...filters }
      return validate({ query: given, body: undefined }) ?? check?.({ query: given, body: undefined, params: {} }) ?? []
    },
  }
}
