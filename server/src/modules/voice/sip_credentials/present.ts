// A SIP credential as the API shows it: how its phone is set up, and which phones are registered with it.
import { type Static, Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable, OneOf, PhoneInput, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { callbackUrl, resourceFields, settable, shown } from '../../../kernel/resource/fields.ts'
import { InstructionsBody, openInstructions, withoutSecrets } from '../instructions/index.ts'
import { phoneServer, phoneUser } from './rules.ts'
import { type ContactRow, type CredentialRow, listContacts } from './store.ts'

const transports = ['udp', 'tcp', 'tls'] as const
type Transport = (typeof transports)[number]

const Phone = Type.Object(
  {
    server: Type.String({ description: 'Server (registrar): host, with its port where that is not 5060.' }),
    domain: Type.String({ description: 'SIP domain, where the phone asks for one.' }),
    username: Type.String({
      description:
        'User name, and authentication name: username, a dot, live or test, and the number of the organization.',
    }),
    address: Type.String({ description: 'The SIP address that the phone is called by.' }),
    transports: Type.Array(OneOf(transports), {
      description: 'Ways to the server; TLS at a port of its own.',
    }),
    tlsPort: Nullable(Type.Integer({ description: 'Port of TLS; null where the server has no certificate.' })),
  },
  { description: 'What to type into the phone, beside the password. A realm is not needed.' },
)

const Registration = Type.Object({
  contact: Type.String({ description: 'Where the phone says that it is.' }),
  source: Type.String({ description: 'Where it registered from, as the server sees it.' }),
  userAgent: Nullable(Type.String({ description: 'What the phone calls itself.' })),
  registeredAt: Timestamp,
  expiresAt: Timestamp,
})

const instructionsText =
  'Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what was ' +
  'dialled. See docs/call_instructions.md.'

export const usernameText =
  'Name of the phone within the organization, such as reception or 101: other phones of the organization dial it. ' +
  'It cannot be changed later.'

export const credentialFields = resourceFields({
  credentialId: shown(Type.String({ description: 'Identifier of the credential, `sipc_…`.' }), { column: 'id' }),
  username: shown(Type.String({ description: usernameText })),
  displayName: settable(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: 'must not contain control characters',
        description: 'Name that is shown to who is called.',
      }),
    ),
  ),
  // The number is looked for, and the instructions are read and sealed, by the endpoints.
  callerId: settable(
    Nullable(
      Type.Unsafe<string>({
        ...PhoneInput,
        description:
          'Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls.',
      }),
    ),
    { isApart: true },
  ),
  callbackUrl: callbackUrl(
    'Asked for instructions when the phone calls (reason received), and sent the events of those calls; https. ' +
      'Null: what was dialled is dialled.',
  ),
  instructions: settable(Nullable(Type.Unsafe<unknown[]>({ ...InstructionsBody, description: instructionsText })), {
    isApart: true,
    shown: Nullable(
      Type.Unsafe<unknown[]>({ ...InstructionsBody, description: `${instructionsText} Passwords are shown as dots.` }),
    ),
  }),
})

const stamps = resourceFields({ createdAt: shown(Timestamp), updatedAt: shown(Timestamp) })

export const Credential = Type.Object({
  ...credentialFields.Shown.properties,
  phone: Phone,
  registrations: Type.Array(Registration, { description: 'Phones that are registered now. All of them ring.' }),
  ...stamps.Shown.properties,
})

export const sampleCredential: Static<typeof Credential> = {
  credentialId: 'sipc_01k9r7d3w2v8e6q4n5m1b0c9xz',
  username: 'reception',
  displayName: 'Reception',
  callerId: null,
  callbackUrl: null,
  instructions: null,
  phone: {
    server: 'sip.example.com',
    domain: 'sip.example.com',
    username: 'reception.live1',
    address: 'sip:reception.live1@sip.example.com',
    transports: ['udp', 'tcp', 'tls'],
    tlsPort: 5061,
  },
  registrations: [
    {
      contact: 'sip:reception.live1@192.168.1.20:5060',
      source: 'sip:203.0.113.20:40112;transport=udp',
      userAgent: 'Example Phone 2.1',
      registeredAt: '2026-11-21T08:44:00.123Z',
      expiresAt: '2026-11-21T09:44:00.123Z',
    },
  ],
  createdAt: '2026-11-21T08:40:00.123Z',
  updatedAt: '2026-11-21T08:40:00.123Z',
}

/** What is presented for: whose it is decides the user name of the phone. */
export type Owner = Scope & { mode: 'live' | 'test' }
type Parts = Pick<Services, 'sip' | 'keyring'>

export function presentCredential({ sip, keyring }: Parts, owner: Owner, row: CredentialRow, contacts: ContactRow[]) {
  const username = phoneUser({ username: row.username, mode: owner.mode, organizationId: owner.organizationId })
  const host = sip.domain.includes(':') ? `[${sip.domain}]` : sip.domain
  return {
    ...credentialFields.present(row),
    instructions:
      row.instructions === null ? null : withoutSecrets(openInstructions(keyring, owner, row.id, row.instructions)),
    phone: {
      server: phoneServer(sip),
      domain: host,
      username,
      address: `sip:${username}@${host}`,
      transports: (sip.tls === null ? ['udp', 'tcp'] : ['udp', 'tcp', 'tls']) satisfies Transport[],
      tlsPort: sip.tls?.port ?? null,
    },
    registrations: contacts
      .filter(({ credential_id }) => credential_id === row.id)
      .map(({ contact, source, user_agent, registered_at, expires_at }) => ({
        contact,
        source,
        userAgent: user_agent,
        registeredAt: registered_at,
        expiresAt: expires_at,
      })),
    ...stamps.present(row),
  }
}

export async function presentCredentials(
  parts: Parts,
  tx: Tx,
  owner: Owner,
  rows: readonly CredentialRow[],
  nowMs: number,
) {
  const contacts = await listContacts(
    tx,
    owner,
    rows.map(row => row.id),
    nowMs,
  )
  return rows.map(row => presentCredential(parts, owner, row, contacts))
}
