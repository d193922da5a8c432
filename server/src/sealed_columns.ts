// Where sealed texts lie in the database: the one list of them, by which they are sealed again when the sealing key is rotated. A column that
// is left out would be lost with the former key: secrets.test.ts holds the list against the sources and against a filled database.
import type { SealedColumn } from './kernel/boot/reseal_store.ts'

const ofTenant = { key: ['tenant_id', 'id'], place: ['tenant_id', 'id'] } as const
const ofOrganization = { key: ['organization_id', 'id'], place: ['organization_id', 'id'] } as const

export const sealedColumns: readonly SealedColumn[] = [
  { purpose: 'carriers', table: 'carriers', column: 'secrets', ...ofTenant },
  { purpose: 'trunks', table: 'trunks', column: 'secrets', ...ofTenant },
  { purpose: 'mail_transports', table: 'mail_transports', column: 'secrets', ...ofTenant },
  { purpose: 'mailboxes', table: 'mailboxes', column: 'secrets', ...ofTenant },
  { purpose: 'mail_domains', table: 'mail_domains', column: 'private_key', ...ofTenant },
  { purpose: 'webhook', table: 'webhook_endpoints', column: 'secret', ...ofTenant },
  { purpose: 'webhook', table: 'webhook_endpoints', column: 'previous_secret', ...ofTenant },
  { purpose: 'webhook', table: 'webhook_listeners', column: 'secret', ...ofTenant },
  { purpose: 'sip_credentials', table: 'sip_credentials', column: 'digests', ...ofTenant },
  { purpose: 'instructions', table: 'sip_credentials', column: 'instructions', form: 'json', ...ofTenant },
  { purpose: 'instructions', table: 'calls', column: 'instructions', form: 'json', ...ofTenant },
  {
    ...{ purpose: 'instructions', table: 'number_voice', column: 'instructions', form: 'json' },
    ...{ key: ['tenant_id', 'number_id'], place: ['tenant_id', 'number_id'] },
  },
  // Of a command: `{kind, instructions}`.
  { purpose: 'instructions', table: 'call_commands', column: 'command', form: 'within', ...ofTenant },
  { purpose: 'audit_stream', table: 'audit_streams', column: 'secret', ...ofOrganization },
  { purpose: 'invitations', table: 'invitations', column: 'token_sealed', ...ofOrganization },
  {
    ...{ purpose: 'sso_connections', table: 'sso_connections', column: 'client_secret' },
    ...{ key: ['organization_id', 'id'], place: ['id'] },
  },
  {
    ...{ purpose: 'factors', table: 'account_factors', column: 'secret' },
    ...{ key: ['account_id', 'id'], place: ['account_id', 'id'] },
  },
  {
    ...{ purpose: 'idempotency', table: 'idempotency_keys', column: 'body' },
    ...{ key: ['tenant_id', 'key'], place: ['tenant_id', 'key', 'fingerprint'] },
  },
  {
    ...{ purpose: 'oauth_records', table: 'oauth_records', column: 'sealed' },
    ...{ key: ['kind', 'hash'], place: ['kind', 'hash'] },
  },
  {
    ...{ purpose: 'oauth_foreign_clients', table: 'oauth_foreign_clients', column: 'sealed' },
    ...{ key: ['client_id'], place: ['client_id'] },
  },
]

/** Purposes of seals that lie in no table, but with who asked: how long each is good, in seconds. */
export const travellingSeals: Readonly<Record<string, number>> = {
  'factor setup': 300,
  'sso attempt': 600,
  'sso ticket': 120,
  'sso test': 600,
}
