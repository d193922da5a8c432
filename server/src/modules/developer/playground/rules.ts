// Who sees and changes what the Playground keeps, what a test may ask of an answer, and that no credential is kept. Pure.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { isSecretName, redactText } from '../../../kernel/values/redact.ts'

export const limits = {
  environments: 200,
  variables: 100,
  collections: 300,
  folders: 50,
  requests: 300,
  /** Characters of all requests of a collection. */
  characters: 2_000_000,
  body: 65_536,
  rows: 100,
  tests: 30,
  captures: 20,
} as const

export type Variable = { name: string; value: string | null; secret: boolean }
export type Folder = { folderId: string; name: string }
export type Pair = { name: string; value: string; enabled: boolean }

export const subjects = ['status', 'time', 'header', 'json'] as const
export type Subject = (typeof subjects)[number]
export const operators = ['equals', 'one_of', 'below', 'exists', 'contains', 'count'] as const
export type Operator = (typeof operators)[number]

export type Test = { subject: Subject; target: string; operator: Operator; value: string }
export type Capture = { name: string; pointer: string }

export type RequestContent = {
  name: string
  method: string
  path: string
  pathValues: { name: string; value: string }[]
  query: Pair[]
  headers: Pair[]
  body: string
  tests: Test[]
  captures: Capture[]
}

/** Which comparison fits which part of an answer. */
export const operatorsOf: Readonly<Record<Subject, readonly Operator[]>> = {
  status: ['equals', 'one_of'],
  time: ['below'],
  header: ['exists', 'equals', 'contains'],
  json: ['exists', 'equals', 'contains', 'count'],
}

type Kept = { owner_id: number; shared: boolean }
type Viewer = { userId: number; permissions: ReadonlySet<string> }

export function maySee({ userId }: Pick<Viewer, 'userId'>, { owner_id, shared }: Kept): boolean {
  return shared || owner_id === userId
}

/** A private one: its owner. A shared one: anyone who may share. */
export function mayChange({ userId, permissions }: Viewer, { owner_id, shared }: Kept): boolean {
  if (!permissions.has('playground:write')) return false
  return shared ? permissions.has('playground:share') : owner_id === userId
}

const holdsReference = /\{\{[A-Za-z_][\w.-]*\}\}/
const isReference = /^(?:Bearer |Basic )?\{\{[A-Za-z_][\w.-]*\}\}$/

/** What is wrong with tests, by their place below `at`. */
export function testFaults(tests: readonly Test[], at = 'tests'): FieldFault[] {
  return tests.flatMap((test, index): FieldFault[] => {
    const place = `${at}[${index}]`
    const fault = (field: string, message: string) => ({ field: `${place}.${field}`, code: 'not_allowed', message })
    const { subject, target, operator } = test
    const fitting = operatorsOf[subject]
    return [
      ...(fitting.includes(operator) ? [] : [fault('operator', `of ${subject} must be ${fitting.join(' or ')}`)]),
      ...(subject === 'header' && target === '' ? [fault('target', 'must name a header')] : []),
      ...(subject === 'json' && !isPointer(target) ? [fault('target', pointerText)] : []),
      ...valueFaults(test).map(message => fault('value', message)),
    ]
  })
}

const pointerText = 'must be a JSON Pointer (RFC 6901) such as /data/0/id; empty for the whole answer'

export function isPointer(text: string): boolean {
  return text === '' || text.startsWith('/')
}

function valueFaults({ subject, operator, value }: Test): string[] {
  if (operator === 'exists' || holdsReference.test(value)) return []
  const isCount = operator === 'below' || operator === 'count'
  if (isCount && !/^\d{1,9}$/.test(value)) return ['must be a whole number']
  if (subject !== 'status') return []
  const codes = operator === 'one_of' ? value.split(',') : [value]
  const areCodes = codes.every(code => /^[1-5](?:\d\d|xx)$/.test(code.trim()))
  return areCodes ? [] : ['must be a status such as 201 or 2xx; several, for one_of, with commas between them']
}

/** What looks like a credential, in each text that is kept, by its place below `at`. */
export function credentialFaults(content: Partial<RequestContent>, at = ''): FieldFault[] {
  const { path = '', pathValues = [], query = [], headers = [], body = '', tests = [] } = content
  const pairs = (rows: readonly Pair[], field: string) =>
    rows.flatMap(({ name, value }, index) => pairFaults(name, value, `${at}${field}[${index}].value`))
  return [
    ...textFaults(path, `${at}path`),
    ...pathValues.flatMap(({ value }, index) => textFaults(value, `${at}pathValues[${index}].value`)),
    ...pairs(query, 'query'),
    ...pairs(headers, 'headers'),
    ...(holdsNamedSecret(body) ? [credentialFault(`${at}body`)] : textFaults(body, `${at}body`)),
    ...tests.flatMap(({ value }, index) => textFaults(value, `${at}tests[${index}].value`)),
  ]
}

function credentialFault(field: string): FieldFault {
  const message = 'looks like a credential, which is never kept here; put a variable such as {{token}} in its place'
  return { field, code: 'not_allowed', message }
}

function textFaults(text: string, field: string): FieldFault[] {
  return redactText(text) === text ? [] : [credentialFault(field)]
}

const isCredentialName = (name: string) =>
  /(?:^cookie|password|passwd|passphrase|secret|accesstoken|refreshtoken|idtoken|apikey|privatekey|authorization)$/.test(
    name.replaceAll(/[-_\s]/g, '').toLowerCase(),
  )

function pairFaults(name: string, value: string, field: string): FieldFault[] {
  return isCredentialName(name) && !isHarmless(value) ? [credentialFault(field)] : textFaults(value, field)
}

/** Nothing, what names a variable, and what the Playground puts in the place of a credential. */
const isHarmless = (value: string) => value === '' || isReference.test(value) || value.endsWith('<removed>')

/** Whether a field of a JSON body that is named like a credential holds a text that is none of a variable. */
function holdsNamedSecret(body: string): boolean {
  const fields = body.matchAll(/"([\w-]{1,60})"\s*:\s*"((?:[^"\\\n]|\\.)*)"/g)
  return Array.from(fields).some(([, name = '', value = '']) => isCredentialName(name) && !isHarmless(value))
}

/** Names once each; secret ones without a value, and none that looks like a credential. */
export function variableFaults(variables: readonly Variable[]): FieldFault[] {
  return variables.flatMap(({ name, value, secret }, index): FieldFault[] => {
    const field = (of: string) => `variables[${index}].${of}`
    const isRepeated = variables.findIndex(other => other.name === name) < index
    if (isRepeated) return [{ field: field('name'), code: 'duplicate', message: `${name} stands here twice` }]
    if (secret)
      return value === null
        ? []
        : [
            {
              field: field('value'),
              code: 'not_allowed',
              message: 'of a secret variable is never kept here; send null',
            },
          ]
    if (value === null) return [{ field: field('value'), code: 'required', message: 'is required; it may be empty' }]
    if (value !== '' && isSecretName(name))
      return [
        {
          field: field('secret'),
          code: 'not_allowed',
          message: `must be true: ${name} is named like a secret, whose value is never kept here`,
        },
      ]
    return textFaults(value, field('value')).map(fault => ({
      ...fault,
      message: 'looks like a credential, which is never kept here; make the variable secret and send no value',
    }))
  })
}

/** How many characters a request takes of what a collection may hold. */
export function sizeOf({ path, pathValues, query, headers, body, tests, captures }: RequestContent): number {
  return path.length + body.length + JSON.stringify([pathValues, query, headers, tests, captures]).length
}
