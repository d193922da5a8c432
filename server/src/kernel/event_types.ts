// Every type of event there is, with the sentence that people choosing among them read. Webhooks filter by these, so a type
// that is not in this table cannot be asked for; a test holds the table against what the modules emit.

export const eventTypes = {
  'lead.created': 'A lead was created.',
  'lead.updated': 'Fields of a lead changed.',
  'lead.status_changed': 'A lead moved to another status.',
  'lead.deleted': 'A lead was deleted.',
  'lead.restored': 'A deleted lead was restored.',
  'invoice.created': 'A draft invoice was created.',
  'invoice.updated': 'Fields of an invoice changed.',
  'invoice.sent': 'An invoice was issued and sent.',
  'invoice.payment_recorded': 'A payment on an invoice was recorded.',
  'invoice.paid': 'An invoice is paid in full.',
  'invoice.overdue': 'The due date of an open invoice has passed.',
  'invoice.cancelled': 'An invoice was cancelled.',
  'message.scheduled': 'A message was accepted, to be sent later.',
  'message.queued': 'A message waits to be handed to a carrier.',
  'message.sending': 'A message is being handed to a carrier.',
  'message.sent': 'A carrier has taken a message.',
  'message.delivered': 'A message reached the phone.',
  'message.undelivered': 'A carrier gave a message up.',
  'message.expired': 'The validity of a message passed before it was delivered.',
  'message.failed': 'A message could not be sent.',
  'message.canceled': 'A message was canceled before it was sent.',
  'message.unconfirmed': 'It is unknown whether a message was sent; it is not sent again.',
  'message.received': 'A message came in.',
  'optout.created': 'A recipient asked for no more messages.',
  'optout.removed': 'A recipient takes messages again.',
  'number.assigned': 'A number or sender id was added.',
  'number.released': 'A number or sender id was given up.',
  'number.verified': 'It was proved that a number is the organization’s.',
  'number.contested': 'Another organization proved that a number is theirs: it takes no calls and sends nothing here.',
  'carrier.created': 'A carrier was added.',
  'carrier.updated': 'The settings of a carrier changed.',
  'carrier.deleted': 'A carrier was removed.',
  'carrier.up': 'A carrier can be reached.',
  'carrier.down': 'No link to a carrier is up.',
  'carrier.throttled': 'A carrier takes less than is to be sent.',
  'trunk.created': 'A trunk was added.',
  'trunk.updated': 'The settings of a trunk changed.',
  'trunk.deleted': 'A trunk was removed.',
  'trunk.up': 'A trunk can carry calls.',
  'trunk.down': 'A trunk cannot be reached, or is not registered.',
  'trunk.throttled': 'Calls wait because a trunk takes no more for the moment.',
  'destination.ceiling_reached': 'A ceiling of a destination policy is reached; told once a day.',
  'call.initiated': 'A call was asked for.',
  'call.ringing': 'The called phone rings.',
  'call.early_media': 'Sound arrives before a call is answered.',
  'call.answered': 'A call was answered.',
  'call.machine_detected': 'It is known, or given up, whether a human or a machine answered a call.',
  'call.dtmf': 'A key was pressed during a call.',
  'call.rerouted': 'A call goes on by another trunk.',
  'call.bridged': 'Two legs were connected.',
  'call.unbridged': 'Two legs were parted.',
  'call.held': 'A call was put on hold.',
  'call.resumed': 'A call was taken off hold.',
  'call.muted': 'A leg of a call was muted.',
  'call.unmuted': 'A leg of a call was unmuted.',
  'call.transferred': 'A call was handed on to somebody else.',
  'call.transfer_failed': 'A call could not be handed on; it goes on as it was.',
  'call.tagged': 'Instructions added tags to a call.',
  'call.notified': 'Instructions told something of their own.',
  'call.instructions_failed': 'No instructions could be had for a call, or they were wrong.',
  'call.caller_id_refused': 'A leg shows another number than its instruction names: that may not be shown.',
  'call.destination_refused': 'A call may not go where it was to be connected: a destination policy is against it.',
  'call.sound_failed': 'Something could not be said or played in a call.',
  'call.message_failed': 'Instructions of a call could not send a message.',
  'gather.completed': 'A caller typed what was asked for, or did not.',
  'conference.started': 'A conference began: somebody joined for whom it was to wait.',
  'conference.participant_joined': 'A call joined a conference.',
  'conference.participant_left': 'A call left a conference.',
  'conference.ended': 'A conference is over.',
  'queue.entered': 'A call waits in a queue.',
  'queue.left': 'A call waits in a queue no more.',
  'call.completed': 'A call that was answered has ended.',
  'call.busy': 'The called phone was busy.',
  'call.no_answer': 'Nobody answered a call in time.',
  'call.rejected': 'The callee declined a call.',
  'call.failed': 'A call could not be carried.',
  'call.canceled': 'A call was ended before it was answered.',
  'recording.available': 'A recording of a call can be heard.',
  'recording.absent': 'A recording of a call holds nothing: no sound came.',
  'recording.failed': 'A recording of a call failed.',
  'recording.deleted': 'A recording of a call was deleted.',
  'webhook.failing': 'Deliveries to another webhook have been failing for 1, 24 or 72 hours.',
  'webhook.disabled': 'Another webhook was disabled because its deliveries failed.',
  'webhook.test': 'Somebody asked for a test of this webhook; sent whatever the filter says.',
} as const satisfies Record<string, string>

export type EventType = keyof typeof eventTypes

/** Whether a filter (`message.sent`, `message.*`) names types that exist. */
export function isEventFilter(filter: string): boolean {
  if (Object.hasOwn(eventTypes, filter)) return true
  return filter.endsWith('.*') && Object.keys(eventTypes).some(type => type.startsWith(filter.slice(0, -1)))
}

/** The filter that was probably meant. */
export function nearestEventFilter(filter: string): string {
  const types = Object.keys(eventTypes)
  const nouns = [...new Set(types.map(type => `${type.split('.')[0]}.*`))]
  const candidates = filter.endsWith('*') ? nouns : types
  const scored = candidates.map(candidate => [distance(filter, candidate), candidate] as const)
  return scored.reduce((best, next) => (next[0] < best[0] ? next : best))[1]
}

/** Letters to insert, delete or exchange (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
