// The catalog as a Postman collection, format v2.1: a folder for each category in the order in which a run works (run.ts),
// variables for address, token and ids, bearer authentication once for all, a saved example for every status.
import type { Field } from '../fields.ts'
import { type Reply, readCatalog } from '../model.ts'
import { oauthVariables, postmanOAuthFolder } from './oauth_flow.ts'
import { formFields, protocolSteps } from './protocol_steps.ts'
import {
  bodyText,
  credentialOf,
  type Dialect,
  encoded,
  parameterText,
  planRun,
  type RunStep,
  scriptAfter,
  scriptBefore,
} from './run.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * @param document the OpenAPI document
 * @param baseUrl scheme and host, the first value of the variable `baseUrl`
 * @returns JSON for a file that Postman imports; `token` is a variable without value
 */
export function postmanCollection(document: object, baseUrl: string): object {
  const catalog = readCatalog(document)
  const { folders, variables } = planRun(catalog)
  return {
    info: { name: catalog.title, description: catalog.description, schema },
    auth: bearer('token'),
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      ...[...oauthVariables, ...variables].map(({ name, value, description, isSecret }) => ({
        key: name,
        value,
        type: isSecret ? 'secret' : 'string',
        description,
      })),
    ],
    item: [
      postmanOAuthFolder(dialect, protocolSteps(catalog).map(itemOf)),
      ...folders.map(({ name, description, steps }) => ({ name, description, item: steps.map(itemOf) })),
    ],
  }
}

const dialect: Dialect = {
  get: name => `pm.variables.get(${name})`,
  set: (name, value) => `pm.collectionVariables.set(${name}, ${value})`,
  skip: 'pm.execution.skipRequest()',
  status: 'pm.response.code',
  json: 'pm.response.json()',
  test: 'pm.test',
  expect: 'pm.expect',
}

function itemOf(step: RunStep): object {
  const { name, replies } = step.endpoint
  const request = requestOf(step)
  const { method, body, url } = request
  // Without the texts and what is switched off: it stands in every example.
  const sent = {
    method,
    header: body === undefined || step.endpoint.isForm ? [] : [jsonHeader],
    ...(body && { body }),
    url: url.raw,
  }
  const events = { prerequest: scriptBefore(step, dialect), test: scriptAfter(step, dialect) }
  return {
    name,
    event: Object.entries(events)
      .filter(([, lines]) => lines.length > 0)
      .map(([listen, exec]) => ({ listen, script: { type: 'text/javascript', exec } })),
    request,
    response: replies.flatMap(reply => exampleOf(reply, sent)),
  }
}

/** Where it is not that of the whole collection. */
function authOf({ endpoint }: RunStep): object {
  const variable = credentialOf(endpoint)
  if (variable === 'token') return {}
  return { auth: variable === undefined ? { type: 'noauth' } : bearer(variable) }
}

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

const jsonHeader = { key: 'Content-Type', value: 'application/json' }

function requestOf(step: RunStep) {
  const { method, description, parameters, fileBody, isForm } = step.endpoint
  const raw = isForm ? undefined : bodyText(step)
  const headers = parameters.filter(field => field.in === 'header').map(field => pairOf(step, field))
  return {
    ...authOf(step),
    method,
    header: [
      ...(fileBody === null ? [] : [{ ...jsonHeader, value: fileBody.contentType }]),
      ...(raw === undefined ? [] : [jsonHeader]),
      ...headers,
    ],
    body: isForm
      ? formBody(step)
      : fileBody === null
        ? jsonBody(raw)
        : { mode: 'raw', raw: fileBody.example, options: { raw: { language: 'text' } } },
    url: urlOf(step),
    description,
  }
}

/** Postman writes the header of a form itself. */
function formBody(step: RunStep): object {
  const urlencoded = formFields(step).map(({ name, value, description, isOff }) => ({
    key: name,
    value,
    type: 'text',
    description,
    ...(isOff ? { disabled: true } : {}),
  }))
  return { mode: 'urlencoded', urlencoded }
}

function jsonBody(raw: string | undefined): object | undefined {
  return raw === undefined ? undefined : { mode: 'raw', raw, options: { raw: { language: 'json' } } }
}

/** Parameters that the sample does not use are listed, switched off. */
function pairOf(step: RunStep, field: Field): object {
  const isOff = field.example === undefined && !field.required
  const text = parameterText(step, field)
  // What Postman sends of a query is this, as it stands here: only what would end or change it is encoded by Postman itself.
  const value = field.in === 'query' ? encoded(text) : text
  return { key: field.name, value, description: aboutField(field), ...(isOff ? { disabled: true } : {}) }
}

function aboutField({ description, rules }: Field): string {
  return [description, rules === '' ? '' : `(${rules})`].filter(Boolean).join(' ')
}

function urlOf(step: RunStep) {
  const { path, parameters } = step.endpoint
  const parts = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .replace(/^\//, '')
    .split('/')
  const query = parameters.filter(field => field.in === 'query')
  const sent = query.filter(field => field.example !== undefined || field.required)
  const search = sent.map(field => `${encodeURIComponent(field.name)}=${encoded(parameterText(step, field))}`).join('&')
  const inPath = parameters.filter(field => field.in === 'path')
  return {
    raw: `{{baseUrl}}/${parts.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: parts,
    ...(query.length === 0 ? {} : { query: query.map(field => pairOf(step, field)) }),
    ...(inPath.length === 0
      ? {}
      : {
          variable: inPath.map(field => ({
            key: field.name,
            value: parameterText(step, field),
            description: aboutField(field),
          })),
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
