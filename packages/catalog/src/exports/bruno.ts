// The catalog as a Bruno collection, in the JSON form that Bruno imports: a folder for each category in the order in which a run
// works (run.ts), an environment with address, token and ids, the description of each endpoint as its docs. Bruno refuses fields
// it does not know.
import type { Field } from '../fields.ts'
import { readCatalog } from '../model.ts'
import { brunoOAuthFolder, oauthVariables } from './oauth_flow.ts'
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

/**
 * @param document the OpenAPI document
 * @param baseUrl scheme and host, for the environment
 */
export function brunoCollection(document: object, baseUrl: string): object {
  const catalog = readCatalog(document)
  const { folders, variables } = planRun(catalog)
  return {
    version: '1',
    name: catalog.title,
    items: [
      brunoOAuthFolder(dialect, first => protocolSteps(catalog).map((step, index) => itemOf(step, first + index))),
      ...folders.map(({ name, steps }, index) => ({
        type: 'folder',
        name,
        seq: index + 2,
        // Without it the folders are run in the order of their names.
        root: { meta: { name } },
        items: steps.map(itemOf),
      })),
    ],
    environments: [
      {
        name: 'Tandem',
        variables: [
          { name: 'baseUrl', value: baseUrl, type: 'text', enabled: true, secret: false },
          ...[...oauthVariables, ...variables].map(({ name, value, isSecret }) => ({
            name,
            value,
            type: 'text',
            enabled: true,
            secret: isSecret,
          })),
        ],
      },
    ],
    brunoConfig: { version: '1', name: catalog.title, type: 'collection', ignore: [] },
  }
}

const dialect: Dialect = {
  get: name => `(bru.getVar(${name}) || bru.getEnvVar(${name}))`,
  set: (name, value) => `bru.setVar(${name}, ${value})`,
  skip: 'bru.runner.skipRequest()',
  status: 'res.getStatus()',
  json: 'res.getBody()',
  test: 'test',
  expect: 'expect',
}

function itemOf(step: RunStep, index: number): object {
  const { name, method, description, parameters, fileBody, isForm } = step.endpoint
  const credential = credentialOf(step.endpoint)
  const params = parameters.filter(field => field.in === 'path' || field.in === 'query')
  const body = isForm ? formBody(step) : bodyOf(bodyText(step))
  const before = scriptBefore(step, dialect)
  return {
    type: 'http-request',
    // The name becomes a file.
    name: name.replaceAll(/[/\\:*?"<>|]/g, ' '),
    seq: index + 1,
    request: {
      url: urlOf(step),
      method,
      headers: [
        ...(fileBody === null ? [] : [{ name: 'Content-Type', value: fileBody.contentType, enabled: true }]),
        ...parameters.filter(field => field.in === 'header').map(field => pairOf(step, field)),
      ],
      params: params.map(field => ({ ...pairOf(step, field), type: field.in })),
      auth: credential === undefined ? { mode: 'none' } : { mode: 'bearer', bearer: { token: `{{${credential}}}` } },
      body: fileBody === null ? body : { mode: 'text', text: fileBody.example },
      script: before.length === 0 ? {} : { req: before.join('\n') },
      vars: {},
      assertions: [],
      tests: scriptAfter(step, dialect).join('\n'),
      docs: description,
    },
  }
}

function formBody(step: RunStep): object {
  const formUrlEncoded = formFields(step).map(({ isOff, ...field }) => ({ ...field, enabled: !isOff }))
  return { mode: 'formUrlEncoded', formUrlEncoded }
}

function bodyOf(json: string | undefined): object {
  return json === undefined ? { mode: 'none' } : { mode: 'json', json }
}

function pairOf(step: RunStep, field: Field): object {
  const { name, example, description, required, in: place } = field
  const enabled = place === 'path' || required || example !== undefined
  return { name, value: parameterText(step, field), description, enabled }
}

function urlOf(step: RunStep): string {
  const { path, parameters } = step.endpoint
  const sent = parameters.filter(field => field.in === 'query' && (field.example !== undefined || field.required))
  const query = sent.map(field => `${field.name}=${encoded(parameterText(step, field))}`).join('&')
  return `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${query === '' ? '' : `?${query}`}`
}
