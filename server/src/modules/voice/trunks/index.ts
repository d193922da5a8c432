// What anyone who puts the parts together, and the engine that speaks SIP, use of trunks.

export type { AsteriskSettings } from './asterisk_settings.ts'
export { type Ending, endOfStatus, type FinalResponse, mayFailOver } from './endings.ts'
export { trunkEndpoints, trunksQueue } from './endpoints.ts'
export type {
  KindSettings,
  TraceStep,
  TrunkCounters,
  TrunkKindName,
  TrunkReport,
  TrunkState,
  TrunkTester,
} from './kind.ts'
export { testTimeoutMs } from './kind.ts'
export { type CallerId, callerIdForm, dialledForm, domainOf, e164From, fromDomainOf } from './numbers.ts'
export {
  createPeerIndex,
  type InboundChoice,
  type InboundClaims,
  inboundTrunk,
  type Peer,
  type PeerMatch,
} from './peers.ts'
export { createTrunkReporter, type TrunkStatus } from './reporter.ts'
export { type Candidate, presentState, priceBy, type Route, type RoutedTrunk, trunksFor } from './rules.ts'
export type { TrunkSettings } from './settings.ts'
export {
  allowedCallerIds,
  type EnabledTrunk,
  hasTrunk,
  listEnabledTrunks,
  tryLockTrunks,
  unlockTrunk,
  waitsTooLong,
} from './store.ts'
export { type OpenTrunk, openTrunk } from './stored_settings.ts'
