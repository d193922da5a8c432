// The secret that signs what is sent to the callbackUrl of a message or call: one for the whole mode of an organization.
import { Type } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import { callbackSecret } from '../../kernel/data/signature.ts'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../kernel/endpoint/record_event.ts'
import type { Keyring } from '../../kernel/values/keyring.ts'
import { defaultOverlapSeconds, overlapSeconds, SigningSecret, sampleSecret } from './schemas.ts'
import { findSigning, rotateSigning, type SigningRow } from './store.ts'

const own = { version: 'v2', category: 'Organization', permission: 'webhooks:manage' } as const

const sampleSigning = { secret: sampleSecret, rotatedAt: null, previousSecretUntil: null }

function present(row: SigningRow, { tenantId }: Principal, keyring: Keyring) {
  return {
    secret: callbackSecret(keyring, tenantId, row.generation),
    rotatedAt: row.rotated_at,
    previousSecretUntil: row.previous_until,
  }
}

export const getSigningSecret = endpoint({
  ...own,
  id: 'webhooks.signing_secret',
  recent: 'login',
  keysToo: true,
  audit: 'signing_secret.shown',
  method: 'GET',
  path: '/webhooks/signing-secret',
  name: 'Get the secret of callback URLs',
  description:
    'The secret that signs events sent to the callbackUrl of a message or call, in this mode. Webhooks have secrets of ' +
    'their own.',
  reply: SigningSecret,
  envelope: 'data',
  sample: { reply: sampleSigning },
  async handle({ tx, principal, services }) {
    return present(await findSigning(tx, principal), principal, services.keyring)
  },
})

export const rotateSigningSecret = endpoint({
  ...own,
  id: 'webhooks.rotate_signing_secret',
  recent: 'login',
  keysToo: true,
  audit: 'signing_secret.rotated',
  method: 'POST',
  path: '/webhooks/signing-secret/rotate',
  name: 'Rotate the secret of callback URLs',
  description:
    'Makes a new secret for callback URLs; until the overlap ends, events carry a signature by the old one as well.',
  body: Type.Object({ overlapSeconds }),
  reply: SigningSecret,
  envelope: 'data',
  status: 201,
  secretReply: true,
  sample: {
    body: { overlapSeconds: 172_800 },
    reply: {
      ...sampleSigning,
      rotatedAt: '2026-11-21T08:44:00.123Z',
      previousSecretUntil: '2026-11-23T08:44:00.123Z',
    },
  },
  async handle({ tx, principal, body, services }) {
    const row = await rotateSigning(tx, principal, body.overlapSeconds ?? defaultOverlapSeconds)
    const record = { rotatedAt: row.rotated_at, previousSecretUntil: row.previous_until }
    await emitChange(tx, principal, { type: 'signing_secret.rotated', resourceId: principal.mode, record })
    return present(row, principal, services.keyring)
  },
})

export const secretEndpoints = [getSigningSecret, rotateSigningSecret]
