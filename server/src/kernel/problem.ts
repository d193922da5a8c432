// Problems: every way a request, message or call can go wrong, in one table. The table is the error reference of the
// product: responses, records, events and docs all speak these codes, and no other.

import { type ProblemEntry, problem } from './problem_entry.ts'
import { voiceProblems } from './problem_voice.ts'

export type { ProblemEntry } from './problem_entry.ts'

export const problems = {
  // Request shape
  malformed_json: problem(
    400,
    'Malformed JSON',
    'The body is not valid JSON.',
    'Send one JSON object, encoded as UTF-8.',
  ),
  validation_failed: problem(
    400,
    'Invalid input',
    'One or more fields are missing, unknown, or not of the documented form.',
    'Correct every field listed in `details`; each names its field and what it takes.',
  ),
  invalid_cursor: problem(
    400,
    'Invalid cursor',
    'The cursor was not made by this endpoint, or by other filters or another sort.',
    'Start again without `cursor`, then use the cursor of the last answer with the same filters.',
  ),
  invalid_idempotency_key: problem(
    400,
    'Invalid Idempotency-Key',
    'The header is empty, longer than 255 characters, not printable ASCII, or sent twice.',
    'Send one Idempotency-Key of 1 to 255 printable ASCII characters, such as a UUID.',
  ),
  invalid_if_match: problem(
    400,
    'Invalid If-Match',
    'The If-Match header is not an ETag of this API.',
    'Send the ETag of the last answer unchanged, for example "3".',
  ),
  bad_request: problem(400, 'Bad request', 'The request is not valid HTTP.', 'Send a well-formed HTTP/1.1 request.'),
  request_timeout: problem(
    408,
    'Request too slow',
    'The request did not arrive completely within 10 seconds.',
    'Send headers and body without long pauses; try again.',
    true,
  ),
  payload_too_large: problem(
    413,
    'Body too large',
    'The body is larger than this endpoint takes (64 KiB unless said otherwise).',
    'Send less in one request.',
  ),
  headers_too_large: problem(
    431,
    'Headers too large',
    'The header block is larger than 8 KiB or has more than 64 headers.',
    'Send fewer or shorter headers.',
  ),
  uri_too_long: problem(
    414,
    'Address too long',
    'A part of the path is too long.',
    'Check the address of the request.',
  ),
  unsupported_media_type: problem(
    415,
    'Unsupported content type',
    'The body is not declared as JSON.',
    'Send the header Content-Type: application/json.',
  ),
  route_not_found: problem(
    404,
    'No such endpoint',
    'No endpoint has this path.',
    'Look the path up in the catalog: GET /v2/catalog.',
  ),
  method_not_allowed: problem(
    405,
    'Method not allowed',
    'The path exists, but not with this method.',
    'Use one of the methods of the Allow header.',
  ),
  range_not_satisfiable: problem(
    416,
    'No such part',
    'The Range asks for bytes behind the end of the file.',
    'Ask for bytes below the length that Content-Range names, or leave Range out for the whole file.',
  ),
  not_found: problem(
    404,
    'Not found',
    'There is no such record in this tenant and mode.',
    'Check the id, and that the key or token belongs to the right organization and mode (live or test).',
  ),

  // Who is asking
  missing_credentials: problem(
    401,
    'Credentials missing',
    'The request has no Authorization header with a Bearer token.',
    'Send Authorization: Bearer <API key or access token>.',
  ),
  invalid_api_key: problem(
    401,
    'Unknown API key',
    'The API key is malformed or does not exist.',
    'Copy the key again, completely; create a new one if it is lost.',
  ),
  key_revoked: problem(
    401,
    'API key revoked',
    'The API key was revoked or rotated out.',
    'Use the key that replaced it, or create a new one.',
  ),
  key_expired: problem(401, 'API key expired', 'The API key has passed its expiry date.', 'Create or rotate a key.'),
  invalid_token: problem(
    401,
    'Invalid access token',
    'The access token is malformed, edited, of another issuer, or not signed by this server.',
    'Log in again and send the new access token unchanged.',
  ),
  token_expired: problem(
    401,
    'Access token expired',
    'The access token has passed its lifetime of one hour.',
    'Get a new one: POST /v1/api/auth/refresh or log in again.',
  ),
  token_revoked: problem(
    401,
    'Session ended',
    'The session of this token was logged out, or its user was changed or disabled.',
    'Log in again.',
  ),
  invalid_credentials: problem(
    401,
    'Login refused',
    'The account does not exist, the password is wrong, or the account is disabled.',
    'Check e-mail (or administrator identifier) and password, or ask an Admin.',
  ),
  invalid_refresh_token: problem(
    401,
    'Refresh token refused',
    'The refresh token is unknown, expired, revoked or used before.',
    'Log in again.',
  ),
  insufficient_role: problem(
    403,
    'Role not allowed',
    "The caller's role does not hold the permission this endpoint needs.",
    'Ask an Admin for a role that holds the permission named in the message.',
  ),
  insufficient_scope: problem(
    403,
    'Scope missing',
    'The role would do, but the key or token was not given this scope.',
    'Create a key whose scopes contain the permission named in the message.',
  ),
  cross_site_request: problem(
    403,
    'Request from another site',
    'The address serves pages of the portal only, and the request was not sent by one of them.',
    'Use the portal at its own address; programs log in with POST /v1/api/auth/login.',
  ),

  // Limits and load
  rate_limited: problem(
    429,
    'Too many requests',
    'The rate limit of the API key, of all keys of its user, of the person or of the IP address is used up.',
    'Wait the seconds of the Retry-After header; spread requests out.',
    true,
  ),
  too_many_streams: problem(
    429,
    'Too many streams',
    'The user has 20 event streams open already, or the server as many as it takes.',
    'Close streams that nobody reads, let one stream serve several readers, and try again after the Retry-After seconds.',
    true,
  ),
  login_throttled: problem(
    429,
    'Too many failed logins',
    'Logins for this account, from places it is not known to log in from, or from this address failed too often.',
    'Wait the seconds of the Retry-After header, or log in from a place or browser used for it in the last 30 days.',
    true,
  ),
  internal_error: problem(
    500,
    'Internal error',
    'The server made a mistake. Nothing was changed unless a later read shows it.',
    'Try again with the same Idempotency-Key; report the request id if it stays.',
    true,
  ),
  unavailable: problem(
    503,
    'Unavailable',
    'The server is starting, stopping, overloaded, or cannot reach its database. The request may have happened.',
    'Try again with the same Idempotency-Key after the seconds of Retry-After.',
    true,
  ),

  // Writing safely
  idempotency_mismatch: problem(
    422,
    'Idempotency-Key used before',
    'This Idempotency-Key was used for a request with another method, path, body or caller.',
    'Use a new key for a new request; repeat a request byte for byte to get its answer again.',
  ),
  version_mismatch: problem(
    412,
    'Changed by someone else',
    'The record is no longer at the version named in If-Match.',
    'Read the record again, apply the change to it, and send the new ETag.',
  ),

  // Identity
  email_taken: problem(409, 'E-mail in use', 'A user with this e-mail exists.', 'Use another e-mail address.'),
  last_admin: problem(
    409,
    'Last Admin',
    'The change would leave the organization without an active Admin.',
    'Make another user Admin first.',
  ),
  weak_password: problem(
    422,
    'Password too weak',
    'The password is among the most used ones or contains the e-mail.',
    'Choose another password of at least 10 characters.',
  ),
  live_mode_required: problem(
    403,
    'Live mode required',
    'Live and test mode share what this changes, or it gives out a live credential, and the request came from test mode.',
    'Send it with a live key, or the access token of a login without `mode: test`; in the portal, switch to live mode.',
  ),
  scope_not_held: problem(
    403,
    'Rights not held',
    'Nobody can hand out more than they hold: a scope of a key, a longer life, a role, the account of another user.',
    'Leave out what `details` names, or let an Admin do it: logged in, or with a key that has all rights of an Admin.',
  ),
  person_required: problem(
    403,
    'Person required',
    'An API key, or a token made of one, asked for what only a logged-in person may have.',
    'Log in with POST /v1/api/auth/login and send the access token of that login.',
  ),
  too_many_keys: problem(
    409,
    'Too many API keys',
    'A user has at most 50 API keys that work in a mode; rotated ones count until they end.',
    'Revoke keys that nothing uses (DELETE /v2/auth/api-keys/{keyId}), then create the new one.',
  ),
  key_not_active: problem(
    409,
    'Key not active',
    'The API key is revoked or expired, so it can be neither rotated nor used.',
    'Create a new key.',
  ),

  // CRM
  duplicate_lead: problem(
    409,
    'Duplicate lead',
    'A lead with this e-mail or phone exists, and duplicates are blocked.',
    'Use the lead named in `details`, or allow duplicates with X-Duplicate-Mode: warn.',
  ),
  invalid_transition: problem(
    409,
    'Transition not allowed',
    'The record cannot go from its present status to the one asked for.',
    'Use one of the statuses listed in the message.',
  ),
  owner_not_found: problem(
    422,
    'No such owner',
    'The owner is not an active user of the organization.',
    'List users with GET /v1/api/users and use the id of an active one.',
  ),

  // Finance
  lead_not_found: problem(
    422,
    'No such lead',
    'The lead the invoice should come from does not exist in this tenant and mode.',
    'Check the id, or leave lead_id out.',
  ),
  invoice_locked: problem(
    409,
    'Invoice is issued',
    'An issued invoice keeps its lines, amounts and customer.',
    'Change only due date and notes, or cancel it and create a new one.',
  ),
  empty_invoice: problem(
    422,
    'Invoice is empty',
    'An invoice without lines or amount cannot be issued.',
    'Add at least one line or an amount.',
  ),
  invoice_has_payments: problem(
    409,
    'Invoice has payments',
    'An invoice with payments cannot be cancelled.',
    'Refund the payments first.',
  ),
  overpayment: problem(
    422,
    'More than is due',
    'The payment is larger than the amount still due.',
    'Send at most the amount due given in the message.',
  ),
  currency_mismatch: problem(
    422,
    'Other currency',
    'The payment is in another currency than the invoice.',
    "Use the invoice's currency.",
  ),

  // Messaging
  invalid_from_number: problem(
    422,
    'Invalid sender',
    'The sender cannot be used to send messages or calls.',
    'Use a number in international format with +, for example +15550100001.',
  ),
  invalid_to_number: problem(
    422,
    'Invalid recipient',
    'The recipient is not a number that can be reached.',
    'Use a number in international format with +, for example +15550100002.',
  ),
  sender_not_owned: problem(
    403,
    'Sender not owned',
    'The sender is not a number or sender id of the organization.',
    'Use one of your own numbers.',
  ),
  sender_not_capable: problem(
    422,
    'Sender cannot do this',
    'The number has no capability for this channel.',
    'Use a number with that capability.',
  ),
  body_too_long: problem(
    422,
    'Text too long',
    'The text needs more than 10 segments.',
    'Shorten the text, or send it in parts.',
  ),
  destination_not_allowed: problem(
    403,
    'Destination not allowed',
    'A destination policy allows no calls or texts to this country or prefix.',
    'Allow it in the policy that the message names, or use another number.',
  ),
  destination_premium: problem(
    403,
    'Kind of number shut',
    'The number is a premium-rate, shared-cost, personal, satellite or international-network one, and a destination policy has that kind shut.',
    'Open the kind, or allow the prefix, in the policy that the message names; only where such calls are really meant.',
  ),
  daily_spend_exceeded: problem(
    403,
    'Spend of the day reached',
    'The text or call would cost more than a destination policy allows for the day.',
    'Raise dailySpend of the policy that the message names, or wait until midnight in the time zone of the organization.',
  ),
  no_route: problem(
    422,
    'No route',
    'No carrier takes texts to this destination, or no trunk takes calls to it.',
    'Add a carrier or trunk, switch one on, or add a route for the destination.',
  ),
  sender_queue_full: problem(
    429,
    'Sender queue full',
    'More is waiting on this sender than it can send in ten hours.',
    'Wait, or spread the traffic over more senders.',
    true,
  ),
  recipient_opted_out: problem(
    403,
    'Recipient opted out',
    'The recipient asked this sender to stop.',
    'Do not text this recipient until they opt in again.',
  ),
  invalid_schedule: problem(
    422,
    'Invalid schedule',
    'The time to send at is not between 5 minutes and 35 days from now.',
    'Leave sendAt out to send at once, or choose a time in that range.',
  ),
  not_cancelable: problem(
    409,
    'Cannot be canceled',
    'The message was handed to the carrier already, or has come to its end.',
    'Only messages that are scheduled or queued can be canceled.',
  ),
  duplicate_suppressed: problem(
    409,
    'Duplicate suppressed',
    'The messaging service sent the same text to this recipient within its duplicate window.',
    'Change the text, wait, or set duplicateWindow of the service to 0.',
  ),
  service_not_found: problem(
    422,
    'No such messaging service',
    'The organization has no messaging service with this id.',
    'List the services, or send with a sender of your own in from.',
  ),
  service_without_senders: problem(
    422,
    'Service has no sender',
    'No number of the messaging service can send to this recipient.',
    'Add a number to the service.',
  ),
  number_taken: problem(
    409,
    'Number exists',
    'The organization has this number or sender id already.',
    'Change the existing one.',
  ),
  number_held: problem(
    409,
    'Number of another organization',
    'Another organization on this server has verified this number.',
    'They release it, or the operator of the server assigns it anew.',
  ),
  number_verification_unneeded: problem(
    409,
    'Nothing to verify',
    'The number is verified, or is none that can be: a short code, a sender id, a number of the test mode.',
    'Use it as it is.',
  ),
  number_verification_limited: problem(
    429,
    'Too many codes',
    'Five codes were asked for for this number within a day, or fifty by the organization.',
    'Enter the last one, or wait for as long as Retry-After says.',
    true,
  ),
  number_verification_unavailable: problem(
    422,
    'No code can be sent',
    'The operator of this server has no carrier or trunk that reaches the number.',
    'Try the other method, or have the operator run `tandem assign-number`.',
  ),
  number_verification_expired: problem(
    409,
    'No code to enter',
    'No code was sent to this number, it is older than ten minutes, or it was entered wrongly five times.',
    'Ask for a new code with POST /v2/numbers/{numberId}/verification.',
  ),
  number_verification_wrong_code: problem(
    422,
    'Wrong code',
    'The code is not the one that was sent last to this number.',
    'Enter the digits of the last text or call.',
  ),
  sender_in_service: problem(
    409,
    'Sender of another service',
    'A number belongs to one messaging service at most, and this one is a sender of another.',
    'Take it out of that service first, or leave it out.',
  ),
  handset_not_in_use: problem(
    409,
    'Handset not in use',
    'In live mode the organization has a carrier or trunk of its own, so texts and calls come in through it.',
    'Use the test mode, or text or call the number from a real phone.',
  ),
  carriers_live_only: problem(
    409,
    'Carriers belong to live mode',
    'In test mode every text goes to the simulator, so there is nothing for a carrier to do.',
    'Add the carrier with a live key, or after switching the portal to live mode.',
  ),
  too_many_carriers: problem(
    409,
    'Too many carriers',
    'The organization has 50 carriers, as many as it may have.',
    'Delete a carrier that is not used any more, or change it into the new one.',
  ),
  carrier_queue_full: problem(
    0,
    'Carrier queue full',
    'The message queue of the carrier was full for the moment.',
    'Nothing: the message waits and is handed over again.',
    true,
  ),
  carrier_rejected_sender: problem(
    0,
    'Sender rejected',
    'The carrier does not take this sender.',
    'Register the sender with the carrier, or use another one.',
  ),
  message_rejected: problem(
    0,
    'Rejected by the carrier',
    'The carrier refused the message for good.',
    "Look at the carrier's code in the history of the message.",
  ),
  carrier_throttled: problem(
    0,
    'Carrier throttled',
    'The carrier took no more for the moment.',
    'Nothing: the message waits and is handed over again.',
    true,
  ),
  carrier_queue_overflow: problem(
    0,
    'Carrier overloaded',
    'The carrier throttled until the validity passed.',
    'Send again later.',
    true,
  ),
  handset_unreachable: problem(
    0,
    'Handset unreachable',
    'The phone is off or out of coverage.',
    'Send again later.',
    true,
  ),
  blocked_by_carrier: problem(
    0,
    'Blocked',
    'The recipient or carrier blocks this sender.',
    'Ask the recipient or carrier.',
  ),
  unknown_subscriber: problem(0, 'Unknown subscriber', 'The number is not in service.', 'Remove the number.'),
  landline_or_unsupported: problem(0, 'Cannot receive texts', 'The number cannot receive SMS.', 'Call instead.'),
  filtered_as_spam: problem(
    0,
    'Filtered as spam',
    'A carrier filter refused content or volume.',
    'Change the text; register the sender.',
  ),
  carrier_unknown_error: problem(
    0,
    'Unknown carrier error',
    'The carrier gave a code we do not know.',
    'Look at the history of the message.',
    true,
  ),
  validity_expired: problem(
    0,
    'Validity expired',
    'The message was not delivered within its validity.',
    'Send again if it is still of use.',
    true,
  ),
  submit_unconfirmed: problem(
    0,
    'Outcome unknown',
    'The message was handed over, but the link died before the answer; it is never sent again blindly.',
    'Ask the recipient before sending again.',
  ),
  carrier_link_down: problem(
    0,
    'Carrier link down',
    'No link to the carrier was up before the validity passed.',
    'Check the carrier.',
    true,
  ),

  // Voice
  ...voiceProblems,
  invalid_callback_url: problem(
    422,
    'Callback address refused',
    'The callbackUrl points to an address that callbacks may not reach.',
    'Use a public https address; the operator can allow private ranges with TANDEM_EGRESS_ALLOW.',
  ),

  // Webhooks
  invalid_webhook_url: problem(
    422,
    'Webhook address refused',
    'The url of the webhook is not an address that deliveries may be sent to.',
    'Use a public https address; the operator can allow private ranges with TANDEM_EGRESS_ALLOW.',
  ),
  webhook_limit_reached: problem(
    409,
    'Too many webhooks',
    'The organization has 100 webhooks in this mode, which is as many as it may have.',
    'Delete one that is not needed, or let one webhook take the events of several.',
  ),
  webhook_disabled: problem(
    409,
    'Webhook is disabled',
    'Nothing is sent to a webhook that is disabled.',
    'Enable it first: PATCH /v2/webhooks/{webhookId} with {"enabled": true}.',
  ),
} as const satisfies Record<string, ProblemEntry>

export type ProblemCode = keyof typeof problems

/** One fault of one field: `field` is its path in the input (`lines[0].quantity`), `code` a word such as `required`. */
export type FieldFault = { field: string; code: string; message: string }

export type ProblemExtra = {
  /** Overrides the title as the sentence for people; must name the remedy. */
  message?: string
  details?: FieldFault[]
  headers?: Record<string, string>
}

/** The one way to refuse: `throw new Problem('not_found')`. Anything else thrown is a programmer's error and answers 500. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly entry: ProblemEntry
  readonly details: FieldFault[] | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ProblemCode, extra: ProblemExtra = {}) {
    const entry: ProblemEntry = problems[code]
    super(extra.message ?? `${entry.cause} ${entry.fix}`)
    this.code = code
    this.entry = entry
    this.details = extra.details
    this.headers = extra.headers
  }
}

/** A 400 that lists field faults, for rules a schema cannot say. */
export function invalid(...faults: FieldFault[]): Problem {
  return new Problem('validation_failed', { message: faultMessage(faults), details: faults })
}

/** The sentence above a list of faults: names the first field and how many more there are. */
export function faultMessage(faults: readonly FieldFault[]): string {
  const first = faults[0]
  if (first === undefined) return problems.validation_failed.title
  const rest = faults.length - 1
  const more = rest === 0 ? '' : ` (and ${rest} more ${rest === 1 ? 'fault' : 'faults'} in details)`
  return `${first.field === '' ? 'The body' : first.field}: ${first.message}${more}`
}
