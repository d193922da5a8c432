// The catalog as a Bruno collection, in the JSON form that Bruno imports: a folder for each category, an environment with
// address and token, the description of each endpoint as its docs. Bruno refuses fields it does not know.
import type { Field } from '../fields.ts'
import { type Endpoint, readCatalog } from '../model.ts'

/**
 * @param document the OpenAPI document
 * @param baseUrl scheme and host, for the environment
 */
export function brunoCollection(document: object, baseUrl: string): object {
  const catalog = readCatalog(document)
  return {
    version: '1',
    name: catalog.title,
    items: catalog.categories.map(({ name, endpoints }, index) => ({
      type: 'folder',
      name,
      seq: index + 1,
      items: endpoints.flatMap((id, place) => itemOf(catalog.byId.get(id), place + 1)),
    })),
    environments: [
      {
        name: 'Tandem',
        variables: [
          { name: 'baseUrl', value: baseUrl, type: 'text', enabled: true, secret: false },
          { name: 'token', value: '', type: 'text', enabled: true, secret: true },
        ],
      },
    ],
    brunoConfig: { version: '1', name: catalog.title, type: 'collection', ignore: [] },
  }
}

function itemOf(endpoint: Endpoint | undefined, seq: number): object[] {
  if (endpoint === undefined) return []
  const { name, method, description, permission, parameters, bodyExample } = endpoint
  const isPublic = permission.level === 'public'
  const params = parameters.filter(field => field.in === 'path' || field.in === 'query')
  return [
    {
      type: 'http-request',
      // The name becomes a file.
      name: name.replaceAll(/[/\\:*?"<>|]/g, ' '),
      seq,
      request: {
        url: urlOf(endpoint),
        method,
        headers: parameters.filter(field => field.in === 'header').map(pairOf),
        params: params.map(field => ({ ...pairOf(field), type: field.in })),
        auth: isPublic ? { mode: 'none' } : { mode: 'bearer', bearer: { token: '{{token}}' } },
        body: bodyExample === null ? { mode: 'none' } : { mode: 'json', json: JSON.stringify(bodyExample, null, 2) },
        script: {},
        vars: {},
        assertions: [],
        tests: '',
        docs: description,
      },
    },
  ]
}

function pairOf({ name, example, default: preset, description, required, in: place }: Field): object {
  const value = example ?? preset
  const enabled = place === 'path' || required || example !== undefined
  return { name, value: value === undefined ? '' : String(value), description, enabled }
}

function urlOf({ path, parameters }: Endpoint): string {
  const sent = parameters.filter(field => field.in === 'query' && (field.example !== undefined || field.required))
  const query = sent.map(field => `${field.name}=${encodeURIComponent(String(field.example ?? ''))}`).join('&')
  return `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${query === '' ? '' : `?${query}`}`
}
