// SIP credentials over HTTP: the names and passwords that phones of the organization register with.
import { Type } from 'typebox'
import { customerUrl } from '../../../kernel/callback_url.ts'
import type { Tx } from '../../../kernel/db.ts'
import { endpoint, type Services } from '../../../kernel/endpoint.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import { parsePhone } from '../../../kernel/phone.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { invalid, Problem } from '../../../kernel/problem.ts'
import { Nullable, PhoneInput } from '../../../kernel/schema.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { findNumberByAddress } from '../../messaging/numbers/index.ts'
import { instructionsProblem, readInstructions, readingContext } from '../instructions/index.ts'
import { InstructionsBody, instructionsBodyLimit } from '../instructions_body.ts'
import { closeInstructions } from '../stored_instructions.ts'
import { Credential, presentCredential, presentCredentials, sampleCredential, sampleId, texts } from './present.ts'
import { phoneUser } from './rules.ts'
import {
  type CredentialRow,
  changeCredential,
  countCredentials,
  findCredential,
  insertCredential,
  listCredentials,
  lockCredential,
  maxCredentials,
  type NewCredential,
  removeCredential,
} from './store.ts'
import { newPassword, sealedDigests } from './stored_digests.ts'

const own = { version: 'v2', category: 'Voice' } as const

const Params = Type.Object({
  credentialId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the credential.' }),
})

const Password = Type.String({
  minLength: 12,
  maxLength: 128,
  pattern: '^[\\x21-\\x7e]+$',
  errorMessage: 'must be 12 to 128 letters, digits and signs without blanks',
  writeOnly: true,
  description: 'Password of the phone. It is kept as digests only, and never shown again.',
})

const settable = {
  displayName: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: 'must not contain control characters',
        description: texts.displayName,
      }),
    ),
  ),
  callerId: Type.Optional(Nullable(Type.Unsafe<string>({ ...PhoneInput, description: texts.callerId }))),
  callbackUrl: Type.Optional(
    Nullable(Type.String({ format: 'url', maxLength: 2_048, description: texts.callbackUrl })),
  ),
  instructions: Type.Optional(
    Nullable(Type.Unsafe<unknown[]>({ ...InstructionsBody, description: texts.instructions })),
  ),
}

type Settable = {
  displayName?: string | null
  callerId?: string | null
  callbackUrl?: string | null
  instructions?: unknown[] | null
}

type Asked = { tx: Tx; principal: Principal; services: Services; id: string; body: Settable; known?: CredentialRow }

/** What the body says, as it is stored; what it leaves out is left out. @throws Problem */
async function settings({ tx, principal, services, id, body, known }: Asked): Promise<Partial<NewCredential>> {
  const { mode } = principal
  const row: Partial<NewCredential> = {}
  if (body.displayName !== undefined) row.display_name = body.displayName
  if (body.callerId !== undefined)
    row.caller_id = body.callerId === null ? null : await ownNumber(tx, principal, body.callerId)
  if (body.callbackUrl !== undefined)
    row.callback_url = body.callbackUrl && customerUrl(body.callbackUrl, services.egress, { mode })
  if (body.instructions === null) row.instructions = null
  else if (body.instructions !== undefined) {
    const baseUrl = row.callback_url ?? known?.callback_url ?? undefined
    const { defaultCountry } = principal.settings
    const context = readingContext({
      egress: services.egress,
      mode,
      defaultCountry,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    })
    const read = readInstructions(body.instructions, context)
    if ('faults' in read) throw instructionsProblem(read.faults)
    row.instructions = closeInstructions(services.pepper, principal, id, read.instructions)
  }
  return row
}

async function ownNumber(tx: Tx, principal: Principal, text: string): Promise<string> {
  const number = parsePhone(text, principal.settings.defaultCountry ?? undefined)
  const refuse = (code: string, message: string) => invalid({ field: 'callerId', code, message })
  if (number === undefined) throw refuse('wrong_format', 'must be a telephone number with +')
  const found = await findNumberByAddress(tx, principal, number)
  const remedy = 'Use one of GET /v2/numbers, or add it with POST /v2/numbers'
  if (found === undefined) throw refuse('not_owned', `is no number of the organization. ${remedy}`)
  if (!found.voice) throw refuse('not_capable', 'makes no calls: its voice is false')
  return number
}

const create = endpoint({
  ...own,
  id: 'sip_credentials.create',
  method: 'POST',
  path: '/voice/sip-credentials',
  name: 'Add a SIP credential',
  description:
    'Makes a user name and a password that phones and softphones register with. The answer has all that is typed into the ' +
    'phone; without `password` one is made, and shown this once. A registered phone calls other phones of the ' +
    'organization by their username, and telephone numbers by the trunks, from `callerId`; it is called by its SIP address, as a ' +
    'target of dial and in POST /v2/voice/calls. In test mode phones reach each other, and the simulator in the place of the ' +
    'telephone network.',
  permission: 'sip_credentials:manage',
  bodyLimit: instructionsBodyLimit,
  body: Type.Object({
    username: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
      errorMessage: 'must be 1 to 40 of a-z, 0-9, dot, - and _, and begin with a letter or digit',
      description: texts.username,
    }),
    password: Type.Optional(Password),
    ...settable,
  }),
  reply: Type.Object({
    ...Credential.properties,
    password: Nullable(
      Type.String({ description: 'The password that was made, shown this once; null where the request brought one.' }),
    ),
  }),
  secretReply: true,
  envelope: 'data',
  status: 201,
  problems: [
    'sip_username_taken',
    'too_many_sip_credentials',
    'invalid_callback_url',
    'invalid_instructions',
    'scope_not_held',
  ],
  sample: {
    body: { username: 'reception', displayName: 'Reception' },
    reply: { ...sampleCredential, registrations: [], password: 'k3vT0qYxW9bLr2Zs5NfA' },
  },
  async handle({ tx, principal, body, services }) {
    await refuseRestricted(tx, principal, 'makes no phones')
    const { username, password = newPassword() } = body
    const id = newId('sipc')
    const { mode, organizationId } = principal
    const user = phoneUser({ username, mode, organizationId })
    const set = await settings({ tx, principal, services, id, body })
    if ((await countCredentials(tx, principal)) >= maxCredentials) throw new Problem('too_many_sip_credentials')
    const row = await insertCredential(tx, principal, {
      id,
      username,
      digests: sealedDigests(services.pepper, principal, id, user, password),
      display_name: null,
      caller_id: null,
      callback_url: null,
      instructions: null,
      ...set,
    })
    if (row === undefined) throw new Problem('sip_username_taken', { details: [takenFault] })
    const shown = presentCredential(services, principal, row, [])
    return { ...shown, password: body.password === undefined ? password : null }
  },
})

const takenFault = { field: 'username', code: 'taken', message: 'is the user name of another SIP credential' }

const list = endpoint({
  ...own,
  id: 'sip_credentials.list',
  method: 'GET',
  path: '/voice/sip-credentials',
  name: 'List SIP credentials',
  description: 'The SIP credentials of the tenant with the phones that are registered now, newest first.',
  permission: 'sip_credentials:read',
  query: Type.Object({ ...v2PageQuery }),
  reply: Credential,
  envelope: 'page',
  sample: { query: { limit: 2 }, reply: sampleCredential },
  async handle({ tx, principal, query, now, services }) {
    const { cursor, limit = 50 } = query
    const beforeId = cursor === undefined ? undefined : idOf(decodeCursor(cursor, {}))
    const rows = await listCredentials(tx, principal, { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], {})
    const items = await presentCredentials(services, tx, principal, cut.rows, now)
    return { items, limit, nextCursor: cut.nextCursor }
  },
})

const get = endpoint({
  ...own,
  id: 'sip_credentials.get',
  method: 'GET',
  path: '/voice/sip-credentials/{credentialId}',
  name: 'Get a SIP credential',
  description: 'One SIP credential with what is typed into its phone, and the phones that are registered now.',
  permission: 'sip_credentials:read',
  params: Params,
  reply: Credential,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { credentialId: sampleId }, reply: sampleCredential },
  async handle({ tx, principal, params, now, services, setVersion }) {
    const row = found(await findCredential(tx, principal, params.credentialId), undefined)
    setVersion(row.version)
    return (await presentCredentials(services, tx, principal, [row], now))[0]
  },
})

const update = endpoint({
  ...own,
  id: 'sip_credentials.update',
  method: 'PATCH',
  path: '/voice/sip-credentials/{credentialId}',
  name: 'Change a SIP credential',
  description:
    'Changes what is named and leaves the rest; null takes a setting away. A new password counts from the next request of ' +
    'the phone on: what is registered stays until it expires.',
  permission: 'sip_credentials:manage',
  bodyLimit: instructionsBodyLimit,
  params: Params,
  body: Type.Object({ password: Type.Optional(Password), ...settable }),
  reply: Credential,
  envelope: 'data',
  versioned: true,
  problems: ['not_found', 'invalid_callback_url', 'invalid_instructions', 'scope_not_held'],
  sample: {
    params: { credentialId: sampleId },
    body: { displayName: 'Front desk' },
    reply: { ...sampleCredential, displayName: 'Front desk' },
  },
  async handle({ tx, principal, params, body, now, ifMatch, services, setVersion }) {
    const row = found(await lockCredential(tx, principal, params.credentialId), ifMatch)
    await refuseRestricted(tx, principal, 'changes no phones')
    const { mode, organizationId } = principal
    const user = phoneUser({ username: row.username, mode, organizationId })
    const set = await settings({ tx, principal, services, id: row.id, body, known: row })
    if (body.password !== undefined)
      set.digests = sealedDigests(services.pepper, principal, row.id, user, body.password)
    const changed = await changeCredential(tx, principal, row, set)
    setVersion(changed.version)
    return (await presentCredentials(services, tx, principal, [changed], now))[0]
  },
})

const remove = endpoint({
  ...own,
  id: 'sip_credentials.delete',
  method: 'DELETE',
  path: '/voice/sip-credentials/{credentialId}',
  name: 'Remove a SIP credential',
  description: 'Forgets the password and the phones that are registered with it. Calls under way go on.',
  permission: 'sip_credentials:manage',
  params: Params,
  reply: Type.Object({ credentialId: Type.String(), deleted: Type.Literal(true) }),
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { credentialId: sampleId }, reply: { credentialId: sampleId, deleted: true } },
  async handle({ tx, principal, params, ifMatch, setVersion }) {
    const row = found(await lockCredential(tx, principal, params.credentialId), ifMatch)
    await removeCredential(tx, principal, row.id)
    setVersion(row.version)
    return { credentialId: row.id, deleted: true }
  },
})

/** @throws Problem `not_found`, `version_mismatch` */
function found(row: CredentialRow | undefined, ifMatch: number | undefined): CredentialRow {
  if (row === undefined) throw new Problem('not_found')
  if (ifMatch !== undefined && ifMatch !== row.version) throw new Problem('version_mismatch')
  return row
}

/** Cursors are readable and so may be forged: anything but an id is refused. */
function idOf(key: readonly unknown[]): string {
  const [id] = key
  if (key.length !== 1 || typeof id !== 'string' || !isId('sipc', id)) throw new Problem('invalid_cursor')
  return id
}

export const endpoints = [create, list, get, update, remove]
