// Search over the catalog for the endpoint `catalog.list`: the search of @tandem/catalog, which the portal uses too.
import { createSearch } from '@tandem/catalog'
import { type DocumentedEndpoint, fullPath } from '../../kernel/endpoint/endpoint.ts'

/** An index over the catalog; a query answers endpoints, best first, or all of them when it is empty. */
export function createCatalogSearch(catalog: readonly DocumentedEndpoint[]): (query: string) => DocumentedEndpoint[] {
  const byId = new Map(catalog.map(definition => [definition.id, definition]))
  const search = createSearch(
    catalog.map(definition => {
      const { id, name, method, category, version } = definition
      return { id, name, method, category, version, path: fullPath(definition) }
    }),
  )
  return query => search(query).map(({ id }) => byId.get(id) as DocumentedEndpoint)
}
