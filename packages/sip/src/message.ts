// What a SIP message is to a program (RFC 3261 §7): its start line, its header lines in their order, its body. Values stay
// text until somebody asks for them (see headers.ts); what cannot be taken as it is becomes a fault that says what to answer.

/** One header line: `name` in the standard's long spelling where it is known, `value` unfolded and trimmed. */
export type SipHeader = { readonly name: string; readonly value: string }

/** `uri` is the Request-URI as it is written on the line; `requestUri` reads it. */
export type SipRequest = {
  readonly kind: 'request'
  readonly method: string
  readonly uri: string
  readonly headers: readonly SipHeader[]
  readonly body: Buffer
}

export type SipResponse = {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: readonly SipHeader[]
  readonly body: Buffer
}

export type SipMessage = SipRequest | SipResponse

/**
 * What is wrong with a message or with one of its values.
 * - `fault`: 'start_line', 'version', 'header' (a malformed line or value), 'missing', 'duplicate', 'length' (of the body),
 *   'size' (a limit of ours), 'refused' (well-formed, and not for us).
 * - `status`: what a request deserves as its answer; a response with a fault is dropped (RFC 3261 §8.1.3).
 * - `header`: the header it is in. `headers`: what the answer has to carry besides, as Unsupported in a 420.
 * - `message`: as much of it as was read, for the answer and for the trace. See `faultReply`.
 */
export type SipFault = {
  readonly fault: 'start_line' | 'version' | 'header' | 'missing' | 'duplicate' | 'length' | 'size' | 'refused'
  readonly status: number
  readonly header: string | undefined
  readonly detail: string
  readonly message: SipMessage | undefined
  readonly headers?: readonly SipHeader[]
}

export function isFault(value: unknown): value is SipFault {
  return typeof value === 'object' && value !== null && 'fault' in value
}

export function createFault(
  fault: SipFault['fault'],
  detail: string,
  { status = 400, header, message }: { status?: number; header?: string; message?: SipMessage | undefined } = {},
): SipFault {
  return { fault, status, header, detail, message }
}

export const emptyBody: Buffer = Buffer.alloc(0)

/** RFC 3261 §25.1 (Method) and the RFCs that added to it. Methods are case-sensitive. */
export const methods = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'REGISTER',
  'PRACK',
  'UPDATE',
  'INFO',
  'REFER',
  'SUBSCRIBE',
  'NOTIFY',
  'MESSAGE',
  'PUBLISH',
] as const

/** The reason phrases of the IANA registry of SIP response codes. */
export const reasons: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  181: 'Call Is Being Forwarded',
  182: 'Queued',
  183: 'Session Progress',
  199: 'Early Dialog Terminated',
  200: 'OK',
  202: 'Accepted',
  204: 'No Notification',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Moved Temporarily',
  305: 'Use Proxy',
  380: 'Alternative Service',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  410: 'Gone',
  412: 'Conditional Request Failed',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  417: 'Unknown Resource-Priority',
  420: 'Bad Extension',
  421: 'Extension Required',
  422: 'Session Interval Too Small',
  423: 'Interval Too Brief',
  424: 'Bad Location Information',
  428: 'Use Identity Header',
  429: 'Provide Referrer Identity',
  430: 'Flow Failed',
  433: 'Anonymity Disallowed',
  436: 'Bad Identity Info',
  437: 'Unsupported Credential',
  438: 'Invalid Identity Header',
  439: 'First Hop Lacks Outbound Support',
  440: 'Max-Breadth Exceeded',
  469: 'Bad Info Package',
  470: 'Consent Needed',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  484: 'Address Incomplete',
  485: 'Ambiguous',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  493: 'Undecipherable',
  494: 'Security Agreement Required',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  505: 'Version Not Supported',
  513: 'Message Too Large',
  555: 'Push Notification Service Not Supported',
  580: 'Precondition Failure',
  600: 'Busy Everywhere',
  603: 'Decline',
  604: 'Does Not Exist Anywhere',
  606: 'Not Acceptable',
  607: 'Unwanted',
  608: 'Rejected',
}
