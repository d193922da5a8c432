// What the contract test asks of every write: that it leaves an event, and of every DELETE what it answers. An endpoint that writes and emits
// nothing fails unless it stands here with its reason.
import assert from 'node:assert/strict'
import type { Endpoint } from '../src/kernel/endpoint/endpoint.ts'
import { eventTypes } from '../src/nouns.ts'
import type { Answer } from './harness.ts'

export type EventRow = { type: string; resource_id: string; data: { by?: { userId: number; keyId: string | null } } }

/** Endpoints that write and that no event reports, each with the reason. */
const withoutEvent: Record<string, string> = {
  'auth.login': 'sessions are no records of the API; the request log has them',
  'auth.refresh': 'as auth.login',
  'auth.logout': 'as auth.login',
  'auth.verify_login': 'as auth.login',
  'auth.passkey_options': 'nothing is stored of a challenge',
  'auth.log_in_with_passkey': 'as auth.login',
  'auth.request_password_reset': 'what is sent is a mail, behind the answer',
  'auth.show_invitation': 'changes nothing',
  'auth.switch': 'as auth.login',
  'auth.step_up': 'as auth.login',
  'operator_tokens.create': 'nothing is stored of a token',
  'operators.set': 'operators are of no organization, and have a list of their own',
  'operators.remove': 'as operators.set',
  'operator_organizations.create': 'nobody listens in an organization before it is there; the audit log has it',
  'organization_codes.create': 'as operators.set',
  'organization_codes.remove': 'as operators.set',
  'operator_sending.hold': 'it is of all organizations; operators have a list of what they did',
  'operator_sending.release': 'as operator_sending.hold',
  'auth.sign_up': 'what is sent is a mail, behind the answer',
  'auth.confirm_sign_up': 'the audit log of the new organization has it',
  'own_organizations.create': 'as auth.confirm_sign_up',
  'operator_organizations.update': 'the audit log of the organization has it',
  'auth.discover_sso': 'changes nothing',
  'sso_connections.test': 'what the test came to is reported by its own event',
  'factors.create_totp': 'how a person logs in is no record of the organization',
  'factors.confirm_totp': 'as factors.create_totp',
  'factors.passkey_options': 'nothing is stored of a challenge',
  'factors.create_passkey': 'as factors.create_totp',
  'factors.update': 'as factors.create_totp',
  'factors.delete': 'as factors.create_totp',
  'factors.create_recovery_codes': 'as factors.create_totp',
  'own_sessions.end': 'as auth.login',
  'own_sessions.end_others': 'as auth.login',
  'account.change_password': 'how a person logs in is no record of the organization',
  'account.change_email': 'changes nothing until it is confirmed',
  'auth.undo_email_change': 'as account.change_password',
  'auth.reset_password': 'as account.change_password',
  'own_devices.delete': 'as factors.create_totp',
  'own_devices.delete_all': 'as factors.create_totp',
  'auth.request_sign_in_link': 'what is sent is a mail, behind the answer',
  'auth.log_in_with_link': 'as auth.login',
  'security.preview': 'writes nothing',
  'api_keys.create_token': 'nothing is stored of a token',
  'client_tokens.create': 'nothing is stored of a token',
  'webhooks.replay': 'sends events that are there',
  'webhooks.replay_callbacks': 'sends events that are there',
  'webhook_listeners.report': 'what was answered is the log of the listener',
  'webhook_listeners.resend': 'sends events that are there',
  'destinations.check': 'writes nothing',
  'messages.preview': 'writes nothing',
  'conversations.read': 'what one member has read is nobody else’s; their own stream hears of it',
  'conversations.presence': 'who looks at it goes out on the stream, and is kept nowhere',
  'messages.redact': 'its events are redacted with it, and their number would reveal it',
  'mail_templates.preview': 'writes nothing',
  'audit_events.erase': 'the audit log has it: an event of it would name whose names went',
  'mail_transports.test': 'tries settings out and changes none',
  'mailboxes.test': 'tries settings out and changes none',
  'carriers.test': 'tries settings out and changes none',
  'trunks.test': 'tries settings out and changes none',
  'calls.command': 'reported by the events of what the call does then',
  'client_calls.answer': 'reported by the events of the call',
  'client_calls.reject': 'reported by the events of the call',
  'client_calls.hangup': 'reported by the events of the call',
  'views.set_default': 'what a list opens with for one person; no record changes',
}

/** Changes of records that people set up: one event for each record that changed, with who changed it. */
const configuration =
  /^(users|organization|security|api_keys|webhooks|messaging_services|numbers|sip_credentials|trunks|carriers|destination_policies|apps|app_secrets|oauth_clients|mail_templates|roles|teams)\.(create|update|delete|rotate|revoke|sign_out|set_policy|put_member|remove_member|rotate_signing_secret|voice\.set)$/
const mailSetUp = /^(mail_(senders|domains|transports)|mailboxes)\.(create|update|delete)$/
const isConfiguration = ({ id }: Endpoint) => configuration.test(id) || mailSetUp.test(id)

/** @param events what was written since before the request */
export function assertEvents(definition: Endpoint, reply: Json, written: EventRow[], userId: number): void {
  // What people are sent of it is a mail, which has an event of its own.
  const events = /^mail/.test(definition.id) ? written : written.filter(({ type }) => type !== 'mail.queued')
  if (definition.id in withoutEvent) {
    assert.deepEqual(events, [], `${definition.id} is said to emit nothing`)
    return
  }
  assert.ok(events.length > 0, `${definition.id} changed something and no event reports it`)
  for (const { type } of events) assert.ok(Object.hasOwn(eventTypes, type), `${type} is in no list of event types`)
  if (!isConfiguration(definition)) return
  const records = new Set(events.map(event => `${event.type} ${event.resource_id}`))
  assert.equal(records.size, events.length, `${definition.id} reports one record twice`)
  for (const { type, data } of events) assert.deepEqual(data.by, { userId, keyId: null }, `${type}: who did it`)
  for (const secret of secretsIn(reply))
    assert.ok(!JSON.stringify(events).includes(secret), `${definition.id}: a secret is in an event`)
}

/**
 * What is gone for good is answered by its id, without a version; what can be read still, as it is now.
 * @param reading the answer of GET afterwards, where there is one
 */
export function assertDeleted(
  definition: Endpoint,
  params: Record<string, string | number>,
  { json, headers }: Answer,
  reading: Answer | undefined,
): void {
  const gone = json.data ?? (json.deleted === true ? withoutSuccess(json) : undefined)
  if (gone?.['deleted'] === undefined) {
    // The trash has a list of its own.
    const isInTrash = Object.values(json).some(value => Object(value)['deleted_at'] !== undefined)
    const status = isInTrash ? 404 : 200
    if (reading !== undefined) assert.equal(reading.status, status, reading.text)
    if (definition.versioned === true) assert.match(headers['etag'] ?? '', /^"\d+"$/)
    return
  }
  // The last id of the path is that of what is deleted.
  const [name, id] = Object.entries(params).at(-1) ?? []
  assert.deepEqual(gone, { [name ?? '']: id, deleted: true })
  assert.equal(headers['etag'], undefined)
  if (reading !== undefined) assert.equal(reading.status, 404, reading.text)
}

/** What v1 answers beside `success`. */
function withoutSuccess({ success: _, ...rest }: Json): Record<string, unknown> {
  return rest
}

type Json = { data?: Record<string, unknown> } & Record<string, unknown>

/** What a reply shows once. */
function secretsIn(json: Json): string[] {
  const shown = { ...json, ...json.data }
  return ['secret', 'password', 'generatedPassword'].flatMap(name =>
    typeof shown[name] === 'string' ? [shown[name]] : [],
  )
}
