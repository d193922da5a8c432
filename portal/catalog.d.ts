declare module 'virtual:catalog' {
  /** Every endpoint, in the order of the catalog: enough to list, search and link. */
  export const endpoints: readonly import('@tandem/catalog').IndexEntry[]
  /** The categories that have endpoints, in the order of the catalog. */
  export const categories: readonly { name: string; description: string }[]
  /** The categories that are planned, and have none yet. */
  export const planned: readonly import('@tandem/catalog').Planned[]
  /** Codes that a quarter of the endpoints or more may answer. */
  export const commonProblems: readonly string[]
  /** Where the whole description of an endpoint lies, by its id. */
  export const detailUrls: Readonly<Record<string, string>>
  /** Where the table of problems lies. */
  export const problemsUrl: string
}

declare module 'virtual:catalog-names' {
  export const endpointNames: { id: string; name: string; version: 'v1' | 'v2' }[]
}
