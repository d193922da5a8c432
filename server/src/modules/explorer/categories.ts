// The categories of the catalog: those with endpoints, and those that are planned.
import { plannedCategory } from '@tandem/catalog'
import { type Static, Type } from 'typebox'
import { categoryTexts } from '../../kernel/documents/openapi.ts'
import { categories, type DocumentedEndpoint, endpoint, plannedCategories } from '../../kernel/endpoint/endpoint.ts'

const CategoryItem = Type.Object({
  name: Type.String(),
  description: Type.String({ description: 'What it holds, or will hold.' }),
  endpoints: Type.Integer({ description: 'How many endpoints it has.' }),
  planned: Type.Boolean({ description: 'Whether it is planned, and has no endpoint yet.' }),
  steps: Type.Array(Type.String(), { description: 'Of a planned one: what comes first, and then.' }),
  meanwhile: Type.Array(
    Type.Object({
      text: Type.String({ description: 'What can be done today.' }),
      endpoints: Type.Array(Type.String(), { description: 'Ids of the endpoints that do it.' }),
    }),
    { description: 'Of a planned one: what comes closest.' },
  ),
})

/** Those with endpoints count them; the others say what is planned. */
function categoryItems(catalog: readonly DocumentedEndpoint[]): Static<typeof CategoryItem>[] {
  return categories.map(name => {
    const endpoints = catalog.filter(({ category }) => category === name).length
    const { description = categoryTexts[name], steps = [], meanwhile = [] } = plannedCategory(name) ?? {}
    return {
      ...{ name, description, endpoints, planned: plannedCategories.includes(name), steps: [...steps] },
      meanwhile: meanwhile.map(({ text, endpoints }) => ({ text, endpoints: [...endpoints] })),
    }
  })
}

/** @param catalog all endpoints, once they are known */
export function categoriesEndpoint(catalog: () => readonly DocumentedEndpoint[]) {
  return endpoint({
    id: 'catalog.categories',
    version: 'v2',
    category: 'Developer',
    method: 'GET',
    path: '/catalog/categories',
    name: 'List categories of the catalog',
    description:
      'Every category with what it holds, also those that are planned: what will come in which order, and what does the work meanwhile. ' +
      'Planned ones have no endpoint, and are not in the OpenAPI document.',
    permission: 'public',
    reply: Type.Array(CategoryItem),
    envelope: 'data',
    transaction: 'none',
    sample: {
      reply: categoryItems([]).filter(({ name }) => name === 'Video'),
    },
    async handle() {
      return categoryItems(catalog())
    },
  })
}
