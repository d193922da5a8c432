// SIP, SDP and RTP: what this package offers. Messages, digest, offer and answer, transactions and dialogs are pure; a user agent
// and an RTP session speak at sockets.
export { openSipAgent } from './agent/agent.ts'
export * from './agent/types.ts'
export * from './core.ts'
export * from './dialog/backoff.ts'
export * from './dialog/digest_client.ts'
export * from './dialog/fork.ts'
export * from './dialog/negotiation.ts'
export * from './dialog/probe.ts'
export * from './dialog/q850.ts'
export * from './dialog/receive.ts'
export * from './dialog/redirect.ts'
export * from './dialog/refer.ts'
export * from './dialog/registrar.ts'
export * from './dialog/registration.ts'
export * from './dialog/reliable.ts'
export * from './dialog/replaces.ts'
export * from './dialog/requests.ts'
export * from './dialog/session_timer.ts'
export * from './dialog/state.ts'
export * from './digest.ts'
export * from './digest_guard.ts'
export * from './framing.ts'
export * from './headers.ts'
export * from './message.ts'
export * from './offer_answer.ts'
export * from './parse.ts'
export * from './replies.ts'
export * from './rtp/agreement.ts'
export * from './rtp/clock.ts'
export * from './rtp/dtmf.ts'
export * from './rtp/g711.ts'
export type { FrameKind, JitterStatistics } from './rtp/jitter.ts'
export * from './rtp/latch.ts'
export { isRtcp } from './rtp/packet.ts'
export * from './rtp/session.ts'
export * from './rtp/session_api.ts'
export * from './rtp/srtp.ts'
export * from './rtp/udp.ts'
export * from './sdp.ts'
export * from './sdp_audio.ts'
export * from './serialize.ts'
export { createTransactionLayer, type TransactionLayer, type TransactionLayerOptions } from './transaction/layer.ts'
export { defaultTransactionTimers, type TransactionTimers } from './transaction/timers.ts'
export * from './transaction/user.ts'
export * from './transport/api.ts'
export type { Advertised, Bound } from './transport/bindings.ts'
export * from './transport/locate.ts'
export * from './transport/resolver.ts'
export { maxDatagramRequest, responseTarget, type SentBy, targetForSize, uriHost } from './transport/route.ts'
export * from './transport/srv.ts'
export type { KeyPair, TlsClientOptions, TlsServerOptions } from './transport/tls.ts'
export { openSipTransport } from './transport/transport.ts'
export {
  defaultPort,
  defaultTransportLimits,
  formatEndpoint,
  isTransportError,
  type PeerCertificate,
  type SipFlow,
  type Target,
  type TransportError,
  type TransportErrorCode,
  type TransportFault,
  type TransportLimits,
  type TransportName,
  transportError,
} from './transport/types.ts'
export { localAddressTo, ownAddress } from './transport/udp.ts'
export * from './uri.ts'
export * from './values.ts'
