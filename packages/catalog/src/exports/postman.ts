// The catalog as a Postman collection, format v2.1: a folder for each category, variables for address and token, bearer
// authentication once for all, a saved example for every status.
import type { Field } from '../fields.ts'
import { type Endpoint, type Reply, readCatalog } from '../model.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * @param document the OpenAPI document
 * @param baseUrl scheme and host, the first value of the variable `baseUrl`
 * @returns JSON for a file that Postman imports; `token` is a variable without value
 */
export function postmanCollection(document: object, baseUrl: string): object {
  const catalog = readCatalog(document)
  return {
    info: { name: catalog.title, description: catalog.description, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      { key: 'token', value: '', type: 'string', description: 'API key or access token.' },
    ],
    item: catalog.categories.map(({ name, description, endpoints }) => ({
      name,
      description,
      item: endpoints.flatMap(id => itemOf(catalog.byId.get(id))),
    })),
  }
}

function itemOf(endpoint: Endpoint | undefined): object[] {
  if (endpoint === undefined) return []
  const request = requestOf(endpoint)
  const { method, body, url } = request
  // Without the texts and what is switched off: it stands in every example.
  const sent = { method, header: body === undefined ? [] : [jsonHeader], ...(body && { body }), url: url.raw }
  return [{ name: endpoint.name, request, response: endpoint.replies.flatMap(reply => exampleOf(reply, sent)) }]
}

const jsonHeader = { key: 'Content-Type', value: 'application/json' }

function requestOf(endpoint: Endpoint) {
  const { method, description, permission, parameters, bodyExample } = endpoint
  const hasBody = bodyExample !== null
  return {
    ...(permission.level === 'public' ? { auth: { type: 'noauth' } } : {}),
    method,
    header: [...(hasBody ? [jsonHeader] : []), ...parameters.filter(field => field.in === 'header').map(pairOf)],
    body: hasBody
      ? { mode: 'raw', raw: JSON.stringify(bodyExample, null, 2), options: { raw: { language: 'json' } } }
      : undefined,
    url: urlOf(endpoint),
    description,
  }
}

/** Parameters that the sample does not use are listed, switched off. */
function pairOf(field: Field): object {
  const isOff = field.example === undefined && !field.required
  return { key: field.name, value: textOf(field), description: aboutField(field), ...(isOff ? { disabled: true } : {}) }
}

function textOf({ example, default: preset }: Field): string {
  const value = example ?? preset
  return value === undefined ? '' : String(value)
}

function aboutField({ description, rules }: Field): string {
  return [description, rules === '' ? '' : `(${rules})`].filter(Boolean).join(' ')
}

function urlOf({ path, parameters }: Endpoint) {
  const parts = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .replace(/^\//, '')
    .split('/')
  const query = parameters.filter(field => field.in === 'query')
  const sent = query.filter(field => field.example !== undefined || field.required)
  const search = sent.map(field => `${encodeURIComponent(field.name)}=${encodeURIComponent(textOf(field))}`).join('&')
  const inPath = parameters.filter(field => field.in === 'path')
  return {
    raw: `{{baseUrl}}/${parts.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: parts,
    ...(query.length === 0 ? {} : { query: query.map(pairOf) }),
    ...(inPath.length === 0
      ? {}
      : {
          variable: inPath.map(field => ({ key: field.name, value: textOf(field), description: aboutField(field) })),
        }),
  }
}

/** The first example of each status stands for it. */
function exampleOf(reply: Reply, originalRequest: object): object[] {
  const [example] = reply.examples
  if (example === undefined) return []
  return [
    {
      name: `${reply.status} ${example.name}`,
      originalRequest,
      status: reply.reason,
      code: reply.status,
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      cookie: [],
      body: JSON.stringify(example.value, null, 2),
    },
  ]
}
