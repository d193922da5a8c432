// The catalog as a run from the first request to the last: creating comes before reading, changing and removing, what an answer
// names is kept in variables for those that follow, and each answer is held against what is documented. What follows from the
// document is taken from there; the few things that do not are listed in the tables below.

import type { Field } from '../fields.ts'
import type { Catalog, Endpoint } from '../model.ts'
import { namesOf, placeOf } from './run_names.ts'

/** A variable of a collection. */
export type RunVariable = { name: string; description: string; value: string; isSecret: boolean }

/**
 * What an answer provides for later. `from` is where it stands: `data.webhookId`, `data.0.recordingId`. What a list provides is taken
 * only where nothing is known yet.
 */
export type Kept = { variable: string; from: string; ifUnset: boolean }

export type RunStep = {
  endpoint: Endpoint
  /** Variables in the place of examples, by the name of the field: of the path, or of the body. */
  filled: ReadonlyMap<string, string>
  /** A run passes the request by while one of these has no value. */
  needs: readonly string[]
  keeps: readonly Kept[]
}

export type RunFolder = { name: string; description: string; steps: RunStep[] }
export type RunPlan = { folders: RunFolder[]; variables: RunVariable[] }

/** Set by who sends event streams by hand: they never end, and a run would wait for them. */
const streams = 'sendStreams'
/** The credential of endpoints of operators, which take no other. */
const operatorToken = 'operatorToken'
/** Set by who wants a run to change also what it did not make. */
export const changes = 'changeSettings'
/** What they change is there before the run and after it. */
const settingsOf = new Set([
  'organization.update',
  'account.update',
  'account.change_password',
  'factors.create_recovery_codes',
  'own_sessions.end_others',
  'security.update',
  'audit_policy.update',
  'retention.update',
  'audit_events.erase',
  'webhooks.rotate_signing_secret',
  'webhooks.replay_callbacks',
  'destination_policies.update',
  'destination_policies.delete',
])
/** The request logs in where these have values, and keeps what it is given. */
const login = ['emailOrAdminId', 'password']

const settings: Readonly<Record<string, string>> = {
  token: 'API key or access token. "Log in" sets it, where it is empty.',
  emailOrAdminId: 'Who "Log in" logs in; left empty, it is passed by.',
  password: 'The password for it.',
  mode: 'The mode that "Log in" asks for, live or test.',
  [streams]: 'Give it any value to open event streams: they never end, so a run passes them by.',
  [changes]:
    'Give it any value and a run changes also what it did not make: settings of the organization, its destination policy, its secrets.',
  into: 'The record that a merge keeps; the others stand in its body.',
  ringingCallId:
    'A call that rings in the browser of whom the credential belongs to; the event stream of the phone names it.',
  challengeToken: 'What a login was refused with that needs more than the password.',
  [operatorToken]: 'Token of an operator, for what they do with all organizations. "Create an operator token" sets it.',
  toUserId: 'The Admin to whom the ownership is offered.',
  organizationToClose: 'The name of the organization, to close it.',
  fileOfMail: 'Which file of the mail that came in: 1 is the first.',
  mailedToken:
    'What stands behind the # of a link that was mailed: of an invitation, a password reset, a login, a change of address.',
}
const secrets = new Set(['token', 'password', 'refreshToken', 'challengeToken', 'mailedToken', operatorToken])

/** Fields of bodies that are variables. */
const filledBodies: Readonly<Record<string, readonly string[]>> = {
  'auth.login': [...login, 'mode'],
  'auth.refresh': ['refreshToken'],
  'auth.verify_login': ['challengeToken'],
  'account.confirm_email': ['token'],
  'ownership.offer': ['toUserId'],
  'organization.close': ['name'],
  'client_calls.create': ['leadId'],
  'saved_requests.create': ['collectionId'],
}

/** A merge names records in its body, of which only the caller knows that they are one. */
function filledIn({ id, bodyExample, permission }: Endpoint): readonly string[] {
  if (typeof bodyExample === 'object' && bodyExample !== null) {
    if (record in bodyExample) return [record]
    // What anybody may ask with a token, they were mailed it.
    if ('token' in bodyExample && permission.level === 'public') return ['token']
  }
  return filledBodies[id] ?? (id.endsWith('.merge') ? ['into'] : [])
}

/** What is put on records is put on the company that the run has created. */
const record = 'record_id'
const variables: Readonly<Record<string, string>> = {
  [record]: 'companyId',
  token: 'mailedToken',
  name: 'organizationToClose',
}
const variableOf = (name: string) => variables[name] ?? name

/** Ids of their own, which no request of a run returns. */
const filledPaths: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'client_calls.answer': { callId: 'ringingCallId' },
  'client_calls.reject': { callId: 'ringingCallId' },
  'inbound_mails.attachment': { number: 'fileOfMail' },
}

/** What answers contain beside the id of what they create. */
const alsoKept: Readonly<Record<string, readonly Kept[]>> = {
  'auth.login': [
    { variable: 'token', from: 'accessToken', ifUnset: true },
    { variable: 'refreshToken', from: 'refreshToken', ifUnset: false },
  ],
  'auth.refresh': [
    { variable: 'token', from: 'accessToken', ifUnset: false },
    { variable: 'refreshToken', from: 'refreshToken', ifUnset: false },
  ],
  'api_keys.rotate': [{ variable: 'apiKeyId', from: 'data.keyId', ifUnset: false }],
  'operator_tokens.create': [{ variable: operatorToken, from: 'data.token', ifUnset: false }],
  'messages.sms.send': [{ variable: 'messageId', from: 'messageId', ifUnset: false }],
  'webhooks.test': [{ variable: 'deliveryId', from: 'data.deliveryId', ifUnset: false }],
  // Of a request that has long been written down when it is asked for.
  'users.me': [{ variable: 'requestId', from: 'meta.requestId', ifUnset: false }],
}

/** Goes at the very end, although it removes nothing that has an id: no credential of its session works after it. */
const lastOfAll = 'auth.logout'

/** The order of requests, folder by folder, and the variables they need. */
export function planRun(catalog: Catalog): RunPlan {
  const variableOf = variablesOf(catalog)
  const steps = catalog.categories.flatMap(({ name, endpoints }) =>
    inOrder(endpoints.flatMap(id => catalog.byId.get(id) ?? []).filter(({ version }) => version !== 'oauth')).map(
      endpoint => ({
        category: name,
        ...stepOf(endpoint, variableOf),
      }),
    ),
  )
  const isTakenBack = ({ path }: Endpoint) => steps.some(({ endpoint }) => endpoint.path === `${path}/restore`)
  const isLast = ({ endpoint, category, needs }: (typeof steps)[number], at: number) =>
    endpoint.id === lastOfAll ||
    (isEnding(endpoint) &&
      !isTakenBack(endpoint) &&
      steps.slice(at + 1).some(other => other.category !== category && other.needs.some(id => needs.includes(id))))
  const last = steps
    .filter(isLast)
    .sort((a, b) => Number(a.endpoint.id === lastOfAll) - Number(b.endpoint.id === lastOfAll))
  const folders = catalog.categories.map(({ name, description }) => ({
    name,
    description,
    steps: steps.filter(step => step.category === name && !last.includes(step)),
  }))
  const closing = {
    name: 'Last of all',
    description: 'Removes what all the folders before use, and logs out.',
    steps: last,
  }
  return { folders: last.length === 0 ? folders : [...folders, closing], variables: allVariables(steps) }
}

function allVariables(steps: readonly RunStep[]): RunVariable[] {
  const kept = new Map<string, string[]>()
  for (const { endpoint, keeps } of steps)
    for (const { variable } of keeps) kept.set(variable, [...(kept.get(variable) ?? []), endpoint.name])
  const needed = steps.flatMap(({ needs, filled }) => [...needs, ...filled.values()])
  const names = new Set([...Object.keys(settings), ...needed, ...kept.keys()])
  return [...names].map(name => {
    const from = [...new Set(kept.get(name))].map(text => `"${text}"`).join(', ')
    const described =
      settings[name] ?? (from === '' ? `Yours to set: a run changes nothing that it did not make.` : `Set by ${from}.`)
    return { name, description: described, value: name === 'mode' ? 'test' : '', isSecret: secrets.has(name) }
  })
}

// Requests in order ------------------------------------------------------------------------------------------------------------

/** What is removed is removed after all that the folder does; before that, noun by noun, creating comes first. */
function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const nouns = [...new Set(endpoints.map(nounOf))]
  const rank = (endpoint: Endpoint) => {
    const stage = stageOf(endpoint)
    const noun = nouns.indexOf(nounOf(endpoint)) * 10
    // What stands below a record is ended before the record is, and what was made later before what it may belong to.
    return stage >= 4 ? 1_000 - noun - endpoint.path.split('/').length / 100 + stage : noun + stage
  }
  return [...endpoints].sort((a, b) => rank(a) - rank(b))
}

/** What stands before the first id in its path: of `/v2/carriers/{carrierId}/test` the carriers. */
function nounOf({ path }: Endpoint): string {
  return path.split('/{')[0] ?? path
}

/** 0 creates, 1 reads, 2 changes, 3 does something with it, 4 ends it, 5 takes that back. */
function stageOf(endpoint: Endpoint): number {
  const { method, path } = endpoint
  if (/\/restore$/.test(path)) return 5
  if (isEnding(endpoint)) return 4
  const isOfOne = path.includes('{')
  if (method === 'POST') return isOfOne ? 3 : 0
  return method === 'GET' ? 1 : 2
}

/** After it, what it names is not there any more, or not as it was. */
function isEnding({ method, path }: Endpoint): boolean {
  return method === 'DELETE' || /\/(cancel|hangup|reject)$/.test(path)
}

// Variables --------------------------------------------------------------------------------------------------------------------

type VariableOf = {
  /** The variable for an id of the path, where there is one. */
  inPath(endpoint: Endpoint, parameter: string): string | undefined
  keptBy(endpoint: Endpoint): Kept[]
}

/**
 * An id is what a collection's own requests return: `/v2/webhooks` of `/v2/webhooks/{webhookId}`. What the creating request returns is the
 * run's own, to be changed and removed at will; where nothing creates, the list returns what may be read, and nothing else.
 */
function variablesOf({ endpoints }: Catalog): VariableOf {
  const creators = new Map(
    endpoints.filter(({ method }) => method === 'POST').map(endpoint => [endpoint.path, endpoint]),
  )
  const lists = new Map(endpoints.filter(({ method }) => method === 'GET').map(endpoint => [endpoint.path, endpoint]))
  const nameOf = namesOf(endpoints)
  const own = new Map<Endpoint, Kept[]>()
  const created = new Set(Object.values(alsoKept).flatMap(all => all.map(({ variable }) => variable)))
  const found = new Set<string>()
  const ids = endpoints.flatMap(({ path }) =>
    [...path.matchAll(/\/\{(\w+)\}/g)].map(found => [path.slice(0, found.index), found[1]!] as const),
  )
  for (const [collection, parameter] of ids) {
    if (!/^id$|Id$/.test(parameter)) continue
    const variable = nameOf(collection)
    for (const [of, ifUnset] of [
      [creators.get(collection), false],
      [lists.get(collection), true],
    ] as const) {
      const from = of === undefined ? undefined : placeOf(of, parameter, collection)
      if (of === undefined || from === undefined || (ifUnset && created.has(variable))) continue
      ;(ifUnset ? found : created).add(variable)
      own.set(of, [...(own.get(of) ?? []).filter(kept => kept.variable !== variable), { variable, from, ifUnset }])
    }
  }
  return {
    inPath(endpoint, parameter) {
      const [before = ''] = endpoint.path.split(`/{${parameter}}`)
      const variable = [nameOf(before), parameter].find(name => created.has(name) || found.has(name))
      if (variable === undefined || created.has(variable) || endpoint.method === 'GET') return variable
      return `${variable}ToChange`
    },
    keptBy: endpoint => [...(own.get(endpoint) ?? []), ...(alsoKept[endpoint.id] ?? [])],
  }
}

/** The variable that holds the credential of a request; undefined where none is needed. */
export function credentialOf({ permission: { level } }: Endpoint): string | undefined {
  if (level === 'public') return undefined
  return level.startsWith('operator:') ? operatorToken : 'token'
}

// One request ------------------------------------------------------------------------------------------------------------------

function stepOf(endpoint: Endpoint, variables: VariableOf): RunStep {
  const inPath = endpoint.parameters
    .filter(field => field.in === 'path')
    .flatMap(({ name }) => {
      const variable = filledPaths[endpoint.id]?.[name] ?? variables.inPath(endpoint, name)
      return variable === undefined ? [] : [[name, variable] as const]
    })
  const inBody = filledIn(endpoint).map(name => [name, variableOf(name)] as const)
  const inQuery = endpoint.parameters
    .filter(({ name, in: place, required }) => place === 'query' && required && name === record)
    .map(({ name }) => [name, variableOf(name)] as const)
  const filled = new Map([...inPath, ...inBody, ...inQuery])
  const guards = [
    ...(endpoint.envelope === 'stream' ? [streams] : []),
    ...(settingsOf.has(endpoint.id) ? [changes] : []),
    ...(credentialOf(endpoint) === operatorToken ? [operatorToken] : []),
  ]
  const needs = [...filled.values(), ...guards]
  return { endpoint, filled, needs, keeps: variables.keptBy(endpoint) }
}

/** The value of a parameter, as text; empty where it has none. */
export function parameterText({ filled }: RunStep, { name, in: place, example, default: preset }: Field): string {
  const variable = place === 'path' || place === 'query' ? filled.get(name) : undefined
  if (variable !== undefined) return `{{${variable}}}`
  const value = example ?? preset
  return value === undefined ? '' : String(value)
}

/** As a part of an address; a variable stands as it is, for programs put its value there. */
export function encoded(text: string): string {
  return /^\{\{\w+\}\}$/.test(text) ? text : encodeURIComponent(text)
}

/** The body as JSON text; undefined when there is none. */
export function bodyText({ endpoint, filled }: RunStep): string | undefined {
  const { bodyExample } = endpoint
  if (bodyExample === null) return undefined
  const names = filledIn(endpoint)
  const variables = names.map(name => [name, `{{${filled.get(name)}}}`])
  const text = JSON.stringify({ ...bodyExample, ...Object.fromEntries(variables) }, null, 2)
  const numbers = names.filter(name => typeof (bodyExample as Record<string, unknown>)[name] === 'number')
  return numbers.reduce((made, name) => made.replace(`"{{${filled.get(name)}}}"`, `{{${filled.get(name)}}}`), text)
}

// Scripts ----------------------------------------------------------------------------------------------------------------------

/** How a program spells what the scripts do; each is an expression of JavaScript. */
export type Dialect = {
  get(name: string): string
  set(name: string, value: string): string
  skip: string
  status: string
  /** The body of an answer that is JSON. */
  json: string
  test: string
  expect: string
}

/** What runs before the request: it is passed by where something that it needs has no value. */
export function scriptBefore({ needs, endpoint }: RunStep, { get, skip }: Dialect): string[] {
  if (needs.length === 0) return []
  const why = `${JSON.stringify(`${endpoint.name}: passed by, without a value for `)} + missing.join(', ')`
  return [
    `const missing = ${JSON.stringify(needs)}.filter(name => !${get('name')})`,
    `if (missing.length > 0) { console.log(${why}); ${skip} }`,
  ]
}

/**
 * Refusals that say nothing against the request as it stands: the credential may not do it, what it is about is not in the state for it.
 * Any other reports a request that is wrong, of an id or a credential that is none, or of a fault.
 */
const honestRefusals = { v1: [403, 409, 422], v2: [403, 409, 422], oauth: [400] }

/** What runs after the answer: it must be one that the catalog reports; what it provides is kept for later requests. */
export function scriptAfter({ endpoint, keeps }: RunStep, { get, set, status, json, test, expect }: Dialect): string[] {
  const { replies, problems, version } = endpoint
  const success = replies.filter(reply => reply.status < 400).map(reply => reply.status)
  const refusals = problems.filter(problem => honestRefusals[version].includes(problem.status))
  const code = { v1: 'answer.code', v2: 'answer.error.code', oauth: 'answer.error' }[version]
  return [
    `const status = ${status}`,
    `const answer = ${isJson(endpoint) ? json : `status < 400 ? {} : ${json}`}`,
    `${test}('answers as documented', function () {`,
    `  if (status < 400) ${expect}(status).to.be.oneOf(${JSON.stringify(success)})`,
    `  else ${expect}(status + ' ' + (${code})).to.be.oneOf(${JSON.stringify(refusals.map(({ status: of, code: name }) => `${of} ${name}`))})`,
    '})',
    ...keeps.map(kept => keepLine(kept, get, set)),
  ]
}

const isJson = ({ envelope, replies: [success] }: Endpoint) =>
  envelope !== 'file' && envelope !== 'stream' && success?.schema !== null

function keepLine({ variable, from, ifUnset }: Kept, get: Dialect['get'], set: Dialect['set']): string {
  const names = from.split('.').map(name => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
  const value = `answer${names.map(name => `?.${name.replace(/^\./, '')}`).join('')}`
  const unset = ifUnset ? ` && !${get(JSON.stringify(variable))}` : ''
  return `if (status < 400 && ${value} !== undefined${unset}) ${set(JSON.stringify(variable), `String(${value})`)}`
}
