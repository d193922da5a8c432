// The problems that every request may meet, whatever it is about: its form, who asks, limits, writing safely. Those of a noun stand in
// its folder (noun.ts).
import { type ProblemEntry, problem } from './problem_entry.ts'

export const kernelProblems = {
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
  person_required: problem(
    403,
    'Person required',
    'An API key, or a token made of one, asked for what only a logged-in person may have.',
    'Log in with POST /v1/api/auth/login and send the access token of that login.',
  ),
  step_up_required: problem(
    401,
    'Fresh proof required',
    'What was asked for is worth a proof of who you are that is no older than fifteen minutes, with the second factor where the account has one.',
    'Prove it with POST /v2/auth/step-up and send the request again with the same access token; the portal asks by itself.',
    true,
  ),
  operator_reads_only: problem(
    403,
    'Operator for support',
    'The operator may look at organizations and change nothing.',
    'Let an operator with full rights do it; the command line can make one: accounts make-operator.',
  ),
  organization_suspended: problem(
    403,
    'Organization suspended',
    'The operator of this installation suspended the organization: its people log in, read their own accounts and the audit log, and export; nothing else is done, nothing is sent, and calls are refused.',
    'Ask the operator why, and what ends it; GET /v2/organization shows the reason.',
  ),
  organization_closing: problem(
    403,
    'Organization closing',
    'The organization is being closed: until the day everything can be read and exported, and nothing is changed or sent.',
    'Its owner, or the operator, can take it back: POST /v2/organization/reopen.',
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
  count_mismatch: problem(
    409,
    'Not as many as expected',
    'The filter finds another number of records than the request expects.',
    'List the records again, look at them, and send the new count.',
  ),

  // Rights
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

  // Records of any kind
  invalid_transition: problem(
    409,
    'Transition not allowed',
    'The record cannot go from its present status to the one asked for.',
    'Use one of the statuses listed in the message.',
  ),
  record_not_found: problem(
    422,
    'No such record',
    'The record that something is to be put on does not exist, is in the trash, or is not yours to see.',
    'Check the id: `cmp_…`, `con_…`, and where ids are numbers the noun in front.',
  ),
  duplicate_record: problem(
    409,
    'Duplicate record',
    'A record that is the same by a field named in `details` exists, and duplicates are blocked.',
    'Use the record named in `details`, or allow duplicates with X-Duplicate-Mode: warn.',
  ),
  invalid_callback_url: problem(
    422,
    'Callback address refused',
    'The callbackUrl points to an address that callbacks may not reach.',
    'Use a public https address; the operator can allow private ranges with TANDEM_EGRESS_ALLOW.',
  ),

  // Webhooks
} as const satisfies Record<string, ProblemEntry>
