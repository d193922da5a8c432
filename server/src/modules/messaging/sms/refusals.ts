// The problems by which messages are refused, each with the field at fault; for requests, items of a batch and previews alike.
import { type FieldFault, Problem } from '../../../kernel/values/problem.ts'
import { refusedBy } from '../../destinations/index.ts'
import { senderQueueRetrySeconds } from './rules.ts'
import type { IntakeRefusal } from './spending.ts'

const faults: { [code in Problem['code']]?: FieldFault } = {
  invalid_from_number: {
    field: 'from',
    code: 'wrong_format',
    message: 'is not a telephone number, short code or sender id',
  },
  invalid_to_number: { field: 'to', code: 'wrong_format', message: 'is not a telephone number' },
  sender_not_owned: { field: 'from', code: 'not_owned', message: 'is no number or sender id that may be used here' },
  sender_not_capable: { field: 'from', code: 'not_capable', message: 'sends no texts: its sms is false' },
  sender_queue_full: {
    field: 'from',
    code: 'queue_full',
    message: 'has more to send already than fits into ten hours, or into the validity of this text',
  },
  service_not_found: { field: 'serviceId', code: 'not_found', message: 'is no messaging service of this tenant' },
  service_without_senders: { field: 'serviceId', code: 'no_senders', message: 'has no number that sends texts' },
  no_route: { field: 'to', code: 'no_route', message: 'begins with no prefix of an enabled carrier' },
  destination_not_allowed: {
    field: 'to',
    code: 'not_allowed',
    message: 'is not among the destinations that are allowed',
  },
  recipient_opted_out: { field: 'to', code: 'opted_out', message: 'wants no texts from this sender' },
}

/** The problem of a message that is refused for what its sender, service or recipient is. */
export function refusalProblem(code: Problem['code'], { message }: { message?: string } = {}): Problem {
  const fault = faults[code]
  return new Problem(code, {
    ...(message === undefined ? {} : { message }),
    ...(fault === undefined ? {} : { details: [fault] }),
    ...(code === 'sender_queue_full' ? { headers: { 'retry-after': String(senderQueueRetrySeconds) } } : {}),
  })
}

/** The problem of a valid message that the database did not accept. */
export function intakeProblem(refusal: IntakeRefusal): Problem {
  return 'by' in refusal ? refusedBy(refusal.by) : refusalProblem(refusal.refusal)
}

/** The problem of a text that went to its recipient already, as the message `id`. */
export function duplicateProblem(id: string): Problem {
  return new Problem('duplicate_suppressed', {
    message: `The same text went to this recipient within the duplicate window of the service, as ${id}.`,
  })
}
