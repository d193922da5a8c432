// Client secrets of apps: shown once, at most two a mode, so that one can follow the other without a pause.
import { Type } from 'typebox'
import { quotas } from '../../../kernel/data/quota.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Deleted, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { hashOf, lastFour, newId, newSecret } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { AppParams, forgetTokens, rightsOf, sampleParams } from './app_endpoints.ts'
import { modes, NewSecret, presentSecret, sampleApp } from './schemas.ts'
import { insertSecret, lockApp, removeSecret } from './store.ts'

const sampleSecret = {
  secretId: 'osc_01k9r7d3w2v8e6q4n5m1b0c9xz',
  lastFour: 'x7Qa',
  createdAt: '2026-11-21T08:44:00.123Z',
  lastUsedAt: null,
  clientId: sampleApp.clients[0]!.clientId,
}

const create = endpoint({
  id: 'app_secrets.create',
  audit: 'app_secret.created',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/apps/{appId}/secrets',
  name: 'Create a client secret',
  description:
    'Makes a secret of an app for live or test mode and answers it, this once. Anyone who holds it may act as the app in its own name, ' +
    `and with codes that people gave it. An app has at most ${quotas.apps.secrets} a mode: make the new one, let the app use it, delete the old one.`,
  permission: 'apps:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  handsOut: true,
  params: AppParams,
  body: Type.Object({ mode: OneOf(modes) }),
  reply: NewSecret,
  envelope: 'data',
  status: 201,
  secretReply: true,
  problems: ['not_found', 'too_many_secrets', 'app_has_no_secrets'],
  sample: {
    params: sampleParams,
    body: { mode: 'live' },
    reply: { ...sampleSecret, secret: `tdm_cs_live_${'EXAMPLE0'.repeat(4)}00x7Qa` },
  },
  async handle({ tx, principal, params, body, handOut, services }) {
    const app = requireRecord(await lockApp(tx, principal, params.appId))
    await refuseRestricted(tx, principal, 'makes no client secrets')
    handOut(rightsOf(app.scopes), 'appId')
    if (app.kind === 'public') throw new Problem('app_has_no_secrets')
    const client = requireRecord(app.clients.find(({ mode }) => mode === body.mode))
    if (client.secrets.length >= quotas.apps.secrets) throw new Problem('too_many_secrets')
    const secret = newSecret(`tdm_cs_${body.mode}_`)
    const hash = hashOf(services.keyring, 'client_secret', secret)
    const { client_id } = client
    const { pepperVersion: pepper_version } = services.keyring
    const kept = { client_id, hash, pepper_version, last_four: lastFour(secret) }
    const row = await insertSecret(tx, principal, { id: newId('osc'), ...kept })
    const record = { ...presentSecret(row), clientId: client_id }
    await emitChange(tx, principal, { type: 'app_secret.created', resourceId: row.id, record })
    return { ...record, secret }
  },
})

const remove = endpoint({
  id: 'app_secrets.delete',
  audit: 'app_secret.deleted',
  version: 'v2',
  category: 'Authentication',
  method: 'DELETE',
  path: '/auth/apps/{appId}/secrets/{secretId}',
  name: 'Delete a client secret',
  description:
    'Deletes a secret at once and for good. Access tokens that were made with it live on, an hour at most: DELETE /v2/auth/apps/{appId}/tokens ends those.',
  permission: 'apps:manage',
  shared: true,
  params: Type.Object({ ...AppParams.properties, secretId: RecordId('osc', 'Identifier of the secret.') }),
  reply: Deleted('secretId'),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { ...sampleParams, secretId: sampleSecret.secretId },
    reply: { secretId: sampleSecret.secretId, deleted: true },
  },
  async handle(context) {
    const { tx, principal, params } = context
    const app = requireRecord(await lockApp(tx, principal, params.appId))
    const client = app.clients.find(({ secrets }) => secrets.some(({ id }) => id === params.secretId))
    const row = requireRecord(client?.secrets.find(({ id }) => id === params.secretId))
    await removeSecret(tx, principal, row.id)
    const record = { ...presentSecret(row), clientId: row.client_id }
    await emitChange(tx, principal, { type: 'app_secret.deleted', resourceId: row.id, record })
    await forgetTokens(context, app.id)
    return { secretId: row.id, deleted: true as const }
  },
})

export const secretEndpoints = [create, remove]
