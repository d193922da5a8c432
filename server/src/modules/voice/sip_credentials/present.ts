// A SIP credential as the API shows it: how its phone is set up, and which phones are registered with it.
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { withoutSecrets } from '../instructions/index.ts'
import { InstructionsBody } from '../instructions_body.ts'
import { openInstructions } from '../stored_instructions.ts'
import { phoneServer, phoneUser } from './rules.ts'
import { type ContactRow, type CredentialRow, listContacts } from './store.ts'

export const texts = {
  username:
    'Name of the phone within the organization, such as reception or 101: other phones of the organization dial it. ' +
    'It cannot be changed later.',
  displayName: 'Name that is shown to who is called.',
  callerId: 'Number of the organization that calls of the phone are made from, in E.164 with +; it must make calls.',
  callbackUrl:
    'Asked for instructions when the phone calls (reason received), and told the events of those calls; https. ' +
    'Null: what was dialled is dialled.',
  instructions:
    'Carried out when the phone calls and no callbackUrl is set, or it does not answer, in the place of dialling what was ' +
    'dialled. See docs/call_instructions.md.',
}

const Phone = Type.Object(
  {
    server: Type.String({ description: 'Server (registrar): host, with its port where that is not 5060.' }),
    domain: Type.String({ description: 'SIP domain, where the phone asks for one.' }),
    username: Type.String({
      description:
        'User name, and authentication name: username, a dot, live or test, and the number of the organization.',
    }),
    address: Type.String({ description: 'The SIP address that the phone is called by.' }),
    transports: Type.Array(OneOf(['udp', 'tcp', 'tls']), {
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

export const Credential = Type.Object({
  credentialId: Type.String({ description: 'Identifier of the credential, `sipc_…`.' }),
  username: Type.String({ description: texts.username }),
  displayName: Nullable(Type.String({ description: texts.displayName })),
  callerId: Nullable(Type.String({ description: texts.callerId })),
  callbackUrl: Nullable(Type.String({ description: texts.callbackUrl })),
  instructions: Nullable(
    Type.Unsafe<unknown[]>({ ...InstructionsBody, description: `${texts.instructions} Passwords are shown as dots.` }),
  ),
  phone: Phone,
  registrations: Type.Array(Registration, { description: 'Phones that are registered now. All of them ring.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const sampleId = 'sipc_01k9r7d3w2v8e6q4n5m1b0c9xz'
export const sampleCredential = {
  credentialId: sampleId,
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
type Parts = Pick<Services, 'sip' | 'pepper'>

export function presentCredential({ sip, pepper }: Parts, owner: Owner, row: CredentialRow, contacts: ContactRow[]) {
  const username = phoneUser({ username: row.username, mode: owner.mode, organizationId: owner.organizationId })
  const host = sip.domain.includes(':') ? `[${sip.domain}]` : sip.domain
  return {
    credentialId: row.id,
    username: row.username,
    displayName: row.display_name,
    callerId: row.caller_id,
    callbackUrl: row.callback_url,
    instructions: row.instructions && withoutSecrets(openInstructions(pepper, owner, row.id, row.instructions)),
    phone: {
      server: phoneServer(sip),
      domain: host,
      username,
      address: `sip:${username}@${host}`,
      transports: sip.tls === null ? ['udp', 'tcp'] : ['udp', 'tcp', 'tls'],
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
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
