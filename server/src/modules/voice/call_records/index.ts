// What other parts of voice and other modules use of the records of calls.

export { listCallEvents, listHistory } from './history_store.ts'
export {
  type CallCommand,
  type CallJob,
  type Command,
  claimCallJobs,
  delayJobs,
  insertCommand,
  insertHangupJobs,
  insertLeases,
  insertOriginateJob,
  type LostCall,
  leasedBy,
  listLostCalls,
  type ParticipantChange,
  removeJobs,
  renewCallLeases,
  takeCommands,
  takeLostLeases,
} from './jobs_store.ts'
export { listCallsWith } from './person_store.ts'
export { inEachTenant, receiveCallEvents } from './receive.ts'
export {
  findRemoteParty,
  insertRemoteParties,
  listForgottenRemoteParties,
  type RemotePartyRow,
  removeRemoteParties,
  updateRemoteParties,
} from './remote_parties_store.ts'
export {
  type AnsweredBy,
  type Call,
  type CallEvent,
  type CallRef,
  type CallReport,
  type CallState,
  type ClientSignal,
  callStates,
  causeOfRefusal,
  type Details,
  durationsOf,
  type HangupCause,
  type HangupParty,
  hangupCauses,
  hangupParties,
  initiatedEvent,
  isLive,
  liveCallStates,
  nextCall,
  presentCall,
  type SimulatedCaller,
} from './rules.ts'
export {
  type CallFilters,
  changeCalls,
  type Dialed,
  findCall,
  initialCall,
  insertCall,
  keepInstructions,
  listCalls,
  lockCalls,
  lockUndialed,
  markDialed,
  type NewCall,
} from './store.ts'
