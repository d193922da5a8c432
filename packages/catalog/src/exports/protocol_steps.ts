// Requests to the authorization server as steps of a run: forms whose client and tokens are variables. How a token is got stands in
// oauth_flow.ts: a program asks for one, and no run can answer for a person.
import type { Catalog, Endpoint } from '../model.ts'
import { changes, type RunStep } from './run.ts'

const byTheFlow = new Set(['oauth.token', 'oauth.authorize'])
const client: Readonly<Record<string, string>> = { client_id: 'oauthClientId', client_secret: 'oauthClientSecret' }
const tokenOf: Readonly<Record<string, string>> = { 'oauth.introspect': 'token', 'oauth.revoke': 'tokenToRevoke' }

/** Given any value by who wants it: it makes something that the run does not remove. */
const wished: Readonly<Record<string, string>> = { 'oauth.register': changes }

/** In the order of the catalog. */
export function protocolSteps({ endpoints }: Catalog): RunStep[] {
  return endpoints
    .filter(({ version, id }) => version === 'oauth' && !byTheFlow.has(id))
    .map(endpoint => {
      const filled = new Map(endpoint.isForm ? filledFields(endpoint) : [])
      const wish = wished[endpoint.id]
      return { endpoint, filled, needs: [...filled.values(), ...(wish === undefined ? [] : [wish])], keeps: [] }
    })
}

function filledFields({ id, parameters }: Endpoint): [name: string, variable: string][] {
  return parameters.flatMap(({ name }) => {
    const variable = name === 'token' ? tokenOf[id] : client[name]
    return variable === undefined ? [] : [[name, variable]]
  })
}

/** The fields of a form; those that the sample does not use are switched off. */
export function formFields({ endpoint, filled }: RunStep) {
  const example = endpoint.bodyExample as Readonly<Record<string, unknown>>
  return endpoint.parameters
    .filter(field => field.in === 'body')
    .map(({ name, description }) => {
      const variable = filled.get(name)
      const value = variable === undefined ? String(example[name] ?? '') : `{{${variable}}}`
      return { name, value, description, isOff: value === '' }
    })
}
