// What anyone who puts the parts together, and anyone who makes a kind of carrier, uses of carriers.

export type { Settings } from '../../../kernel/links/settings.ts'
export { carrierEndpoints } from './endpoints.ts'
export { holdCarrierLinks } from './jobs.ts'
export type {
  CarrierKind,
  LinkCounters,
  LinkedCarrier,
  LinkReport,
  LinkRole,
  LinkState,
  Surroundings,
  TraceStep,
} from './kind.ts'
export { testTimeoutMs } from './kind.ts'
export { type CarrierState, carrierState, carrierStates, presentState as presentLinkState } from './rules.ts'
