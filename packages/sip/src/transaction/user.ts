// Who uses the transaction layer (RFC 3261 §5, §17): the core of a user agent, called `TU` in the standard. It hands requests
// and responses down, hears of them once each, and carries messages between the layer and the transport.
import type { MessageCore } from '../core.ts'
import type { SipMessage, SipRequest, SipResponse } from '../message.ts'

/** How a message leaves. Opaque to the layer but for `reliable` (TCP, TLS): the transport's own type extends it. */
export type Flow = { readonly reliable: boolean }

/**
 * Why a transaction failed.
 * - 'timeout': a client transaction had no final response (timer B or F, or 64*T1 after its CANCEL): taken for a 408. A server
 *   transaction of an INVITE had no ACK (timer H after 300 to 699; after a 2xx the core ends the call with BYE, §13.3.1.4);
 *   of another request it was never answered by the core, and now it is too late.
 * - 'transport': it could not be sent. A client transaction ends (taken for a 503). A server transaction goes on, as copies of
 *   the request are to be absorbed and the response is repeated (RFC 6026 §7.1).
 * - 'unacknowledged': no PRACK came for a reliable provisional response in 64*T1. The transaction goes on, and the core should
 *   answer it with a 5xx (RFC 3262 §3).
 */
export type TransactionFailure = 'timeout' | 'transport' | 'unacknowledged'

/**
 * Called synchronously by the layer; all of its functions may be called from within. `transaction` is the id of the
 * transaction, as `request` returns it and `onRequest` passes it.
 */
export type TransactionUser = {
  /**
   * To the transport. When it cannot be sent: `transportFailed` of the layer, at once or later. `transaction` is '' for what
   * is sent without one (a 503 when there are too many).
   */
  send(message: SipMessage, flow: Flow, transaction: string): void
  /** A new request, never an ACK or a CANCEL. Passed once; the answer goes to `respond`. */
  onRequest(request: SipRequest, core: MessageCore, flow: Flow, transaction: string): void
  /**
   * The ACK of a 2xx, each time one comes; that of 300 to 699 is absorbed. `invite` is the server transaction of its INVITE
   * while there is one; its 2xx is not repeated any more. Without one it may belong to nothing at all: never to be answered.
   */
  onAck(request: SipRequest, core: MessageCore, flow: Flow, invite: string | undefined): void
  /** Of an INVITE that has no final response yet, once. CANCEL itself was answered 200; the INVITE waits for its 487. */
  onCancel(transaction: string, request: SipRequest, core: MessageCore): void
  /**
   * A response to a client transaction. Provisional ones as they come; a final one once, but each 2xx of an INVITE, repeated
   * ones too, as each wants its ACK (§13.2.2.4, RFC 6026 §7.2).
   */
  onResponse(response: SipResponse, core: MessageCore, transaction: string): void
  /** A response that fits no transaction: a late 2xx of an INVITE may have to be ended with ACK and BYE, others are dropped. */
  onStrayResponse(response: SipResponse, core: MessageCore): void
  onFailure(transaction: string, why: TransactionFailure): void
  /** The transaction is gone; reported last, once. May come before `respond` returns (reliable transports wait for nothing). */
  onEnd(transaction: string): void
}
