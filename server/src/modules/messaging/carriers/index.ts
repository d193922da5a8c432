// What whoever puts the parts together, and whoever makes a kind of carrier, uses of carriers.

export type { Settings } from '../../../kernel/settings.ts'
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
