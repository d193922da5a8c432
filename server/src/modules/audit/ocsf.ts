// Events of the audit log as the Open Cybersecurity Schema Framework (1.x) has them, for programs that watch over security. Pure.
import type { presentEvent } from './present.ts'

type Event = ReturnType<typeof presentEvent>
type Class = { class_uid: number; class_name: string; category_uid: number; activity_id: number }

const iam = (class_uid: number, class_name: string, activity_id: number): Class => ({
  ...{ class_uid, class_name, category_uid: 3, activity_id },
})
const api = (activity_id: number): Class => ({
  ...{ class_uid: 6003, class_name: 'API Activity', category_uid: 6, activity_id },
})

/** Nouns of accounts of people, and of what rights are made of. */
const accounts = /^(user|account|invitation|factor|api_key|session|recovery_code)$/
const rights = /^(role|grant|app|oauth)/
const groups = /^team/

/** Which class an action is of, and what it did there. */
function classOf({ action, outcome }: Event): Class {
  const [noun = '', verb = ''] = action.split('.')
  if (/^sign(ed)?_in/.test(verb)) return iam(3002, 'Authentication', 1)
  if (verb === 'signed_out') return iam(3002, 'Authentication', 2)
  if (outcome === 'denied') return api(99)
  if (verb === 'role_changed' || rights.test(noun))
    return iam(3005, 'User Access Management', verb === 'revoked' ? 2 : 1)
  if (groups.test(noun)) return iam(3006, 'Group Management', 99)
  if (accounts.test(noun)) return iam(3001, 'Account Change', accountActivity(verb))
  return iam(3004, 'Entity Management', entityActivity(verb))
}

function accountActivity(verb: string): number {
  const known: Record<string, number> = {
    created: 1,
    enabled: 2,
    password_changed: 3,
    disabled: 5,
    deleted: 6,
    revoked: 6,
  }
  return known[verb] ?? 99
}

function entityActivity(verb: string): number {
  const known: Record<string, number> = { created: 1, updated: 3, deleted: 4 }
  return known[verb] ?? 99
}

const statusOf = { ok: [1, 'Success'], denied: [2, 'Failure'], failed: [2, 'Failure'] } as const

/** `type_uid` is the class and what was done in it, as the framework wants it. */
export function ocsfOf(event: Event): Record<string, unknown> {
  const of = classOf(event)
  const { ip, userAgent, requestId, sessionId, more } = event.context as Record<string, unknown>
  const [status_id, status] = statusOf[event.outcome as keyof typeof statusOf] ?? [0, 'Unknown']
  return {
    ...of,
    type_uid: of.class_uid * 100 + of.activity_id,
    time: Date.parse(event.at),
    severity_id: event.outcome === 'ok' ? 1 : 2,
    ...{ status_id, status, status_detail: event.reason },
    message: event.action,
    metadata: {
      version: '1.3.0',
      product: { name: 'Tandem', vendor_name: 'Tandem' },
      ...{ uid: event.auditEventId, sequence: event.position, correlation_uid: requestId },
    },
    actor: {
      user: { uid: event.actor.id, name: event.actor.name, type: event.actor.type },
      session: { uid: sessionId },
    },
    src_endpoint: { ip },
    http_request: { user_agent: userAgent, uid: requestId },
    resources: event.targets.map(({ type, id }) => ({ type, uid: id })),
    unmapped: { before: event.before, after: event.after, hash: event.hash, more },
  }
}
