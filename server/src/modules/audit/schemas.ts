// The fields of the audit log in the API.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'

export const actorTypes = ['user', 'key', 'app', 'operator', 'system', 'scim', 'sso', 'anonymous'] as const
export const outcomes = ['ok', 'denied', 'failed'] as const

const Fields = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
})

export const AuditEvent = Type.Object({
  auditEventId: Type.String({ description: 'Identifier of the event, `aud_…`.' }),
  at: Timestamp,
  action: Type.String({ description: 'What was done: noun and verb in the past tense, such as user.role_changed.' }),
  actor: Type.Object(
    {
      type: OneOf(actorTypes, { description: 'As what somebody acted; anonymous before anybody is known.' }),
      id: Nullable(Type.String({ description: 'The user or key; null for who is not known.' })),
      onBehalfOf: Nullable(Type.String({ description: 'The user for whom a key or an app acts.' })),
      name: Nullable(
        Type.String({ description: 'What the actor is called; null when there is none, or it was erased.' }),
      ),
    },
    { description: 'Who did it.' },
  ),
  targets: Type.Array(Type.Object({ type: Type.String(), id: Type.String() }), { description: 'What it was done to.' }),
  outcome: OneOf(outcomes, { description: 'denied: it was not allowed; failed: it was tried and came to nothing.' }),
  reason: Nullable(Type.String({ description: 'Code of the problem, where it was denied or failed.' })),
  context: Type.Object(
    {
      ip: Nullable(Type.String({ description: 'Address it was asked from.' })),
      userAgent: Nullable(Type.String({ description: 'The program that asked.' })),
      requestId: Nullable(Type.String({ description: 'The request, as in GET /v2/requests/{requestId}.' })),
      sessionId: Nullable(Type.String({ description: 'The session of the person.' })),
      mode: Nullable(OneOf(['live', 'test'])),
      more: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'What else is to be said of this action, such as how often it was refused within a minute (count).',
      }),
    },
    { description: 'From where, by what.' },
  ),
  before: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      ...Fields,
      description: 'The fields that differ, as they were. Secrets are in none; erased names are left out.',
    }),
  ),
  after: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      ...Fields,
      description: 'The same as they are. A secret that was replaced says "changed".',
    }),
  ),
  position: Nullable(
    Type.Integer({
      description: 'Its place in the chain of the organization; null until it is sealed, within a minute.',
    }),
  ),
  hash: Nullable(Type.String({ description: 'SHA-256 of this event and all before it, in hexadecimal.' })),
})

export const sampleEvent: Static<typeof AuditEvent> = {
  auditEventId: 'aud_01k9r7d3w2v8e6q4n5m1b0c9xz',
  at: '2026-11-21T08:44:00.123Z',
  action: 'user.role_changed',
  actor: { type: 'user', id: '1', onBehalfOf: null, name: 'admin@tandem.localhost' },
  targets: [{ type: 'user', id: '12' }],
  outcome: 'ok',
  reason: null,
  context: {
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz',
    sessionId: 'ses_01k9r7d3w2v8e6q4n5m1b0c9xz',
    mode: 'live',
    more: {},
  },
  before: { role: 'Sales Manager' },
  after: { role: 'Admin' },
  position: 1742,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}
