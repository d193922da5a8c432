// SIP credentials over HTTP: the names and passwords that phones of the organization register with.
import { type Static, type TObject, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { Nullable } from '../../../kernel/endpoint/schema.ts'
import { type Asking, resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { findNumberByAddress } from '../../messaging/numbers/index.ts'
import {
  closeInstructions,
  instructionsBodyLimit,
  instructionsProblem,
  readInstructions,
  readingContext,
  requireRights,
} from '../instructions/index.ts'
import { Credential, credentialFields, presentCredentials, sampleCredential, usernameText } from './present.ts'
import { phoneUser } from './rules.ts'
import { type CredentialRow, maxCredentials, sipCredentials } from './store.ts'
import { newPassword, sealedDigests } from './stored_digests.ts'

const Password = Type.String({
  minLength: 12,
  maxLength: 128,
  pattern: '^[\\x21-\\x7e]+$',
  errorMessage: 'must be 12 to 128 letters, digits and signs without blanks',
  writeOnly: true,
  description: 'Password of the phone. It is kept as digests only, and never shown again.',
})

type Settable = Partial<Static<TObject<typeof credentialFields.settable>>>
/** Whose settings these are; `old` is what is stored. */
type Owner = { id: string; old?: CredentialRow }

/** What the body says, as it is stored; what it leaves out is left out. @throws Problem */
async function settings(
  body: Settable,
  asking: Asking,
  { id, old }: Owner,
): Promise<Readonly<Record<string, unknown>>> {
  const { tx, principal, services } = asking
  const values: Record<string, unknown> = { ...credentialFields.read(body, asking, old) }
  const { callerId, instructions } = body
  if (callerId !== undefined) values['caller_id'] = callerId && (await ownNumber(tx, principal, callerId))
  if (instructions === undefined || instructions === null) return { ...values, instructions }
  const baseUrl = values['callback_url'] ?? old?.callback_url
  const context = readingContext({
    egress: services.egress,
    mode: principal.mode,
    defaultCountry: principal.settings.defaultCountry,
    ...(typeof baseUrl === 'string' && { baseUrl }),
  })
  const read = readInstructions(instructions, context)
  if ('faults' in read) throw instructionsProblem(read.faults)
  requireRights(principal, read.instructions, 'instructions')
  return { ...values, instructions: closeInstructions(services.keyring, principal, id, read.instructions) }
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

const own = resource<CredentialRow, typeof Credential>({
  names: ['sip_credential', 'sip_credentials'],
  words: 'SIP credential',
  id: ['credentialId', 'sipc'],
  category: 'Voice',
  path: '/voice/sip-credentials',
  permissions: { read: 'sip_credentials:read', manage: 'sip_credentials:manage' },
  rows: sipCredentials,
  reply: Credential,
  sample: sampleCredential,
  present: (rows, { services, tx, principal, now }) => presentCredentials(services, tx, principal, rows, now),
})

const create = own.create({
  description:
    'Makes a user name and a password that phones and softphones register with. The answer has all that is typed into the ' +
    'phone; without `password` one is made, and shown this once. A registered phone calls other phones of the ' +
    'organization by their username, and telephone numbers by the trunks, from `callerId`; it is called by its SIP address, as a ' +
    'target of dial and in POST /v2/voice/calls. In test mode phones reach each other, and the simulator in the place of the ' +
    'telephone network.',
  bodyLimit: instructionsBodyLimit,
  body: Type.Object({
    username: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
      errorMessage: 'must be 1 to 40 of a-z, 0-9, dot, - and _, and begin with a letter or digit',
      description: usernameText,
    }),
    password: Type.Optional(Password),
    ...credentialFields.settable,
  }),
  reply: Type.Object({
    ...Credential.properties,
    password: Nullable(
      Type.String({ description: 'The password that was made, shown this once; null where the request brought one.' }),
    ),
  }),
  secretReply: true,
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
  async handle({ username, password: brought, ...body }, asking) {
    const { tx, principal, services, now } = asking
    await refuseRestricted(tx, principal, 'makes no phones')
    const id = newId('sipc')
    const user = phoneUser({ username, mode: principal.mode, organizationId: principal.organizationId })
    const set = await settings(body, asking, { id })
    if ((await sipCredentials.count(tx, principal)) >= maxCredentials) throw new Problem('too_many_sip_credentials')
    const password = brought ?? newPassword()
    const digests = sealedDigests(services.keyring, principal, id, user, password)
    const values = { id, username, digests, ...set, ...stampsOf(now) }
    const row = await sipCredentials.insert(tx, principal, values, 'sip_credentials_username')
    if (row === undefined) throw new Problem('sip_username_taken', { details: [takenFault] })
    return { row, more: { password: brought === undefined ? password : null } }
  },
})

const takenFault = { field: 'username', code: 'taken', message: 'is the user name of another SIP credential' }

const update = own.update({
  description:
    'Changes what is named and leaves the rest; null takes a setting away. A new password counts from the next request of ' +
    'the phone on: what is registered stays until it expires.',
  bodyLimit: instructionsBodyLimit,
  body: Type.Object({ password: Type.Optional(Password), ...credentialFields.settable }),
  problems: ['invalid_callback_url', 'invalid_instructions', 'scope_not_held'],
  sample: { body: { displayName: 'Front desk' }, reply: { ...sampleCredential, displayName: 'Front desk' } },
  async handle(old, { password, ...body }, asking) {
    const { tx, principal, services, now } = asking
    await refuseRestricted(tx, principal, 'changes no phones')
    const user = phoneUser({ username: old.username, mode: principal.mode, organizationId: principal.organizationId })
    const set = await settings(body, asking, { id: old.id, old })
    const digests = password && sealedDigests(services.keyring, principal, old.id, user, password)
    return { row: await sipCredentials.change(tx, principal, old.id, { ...set, digests }, now) }
  },
})

export const endpoints = [
  create,
  own.list({
    description: 'The SIP credentials of the tenant with the phones that are registered now, newest first.',
    sample: { limit: 2 },
  }),
  own.get({
    description: 'One SIP credential with what is typed into its phone, and the phones that are registered now.',
  }),
  update,
  own.delete({
    description: 'Forgets the password and the phones that are registered with it. Calls under way go on.',
  }),
]
