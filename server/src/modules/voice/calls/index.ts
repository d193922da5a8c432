// What other parts of voice use of the API of calls.
export { lockLive } from './commands.ts'
export {
  defaultTimeLimitSeconds,
  defaultTimeoutSeconds,
  dialable,
  Metadata,
  Tags,
  TimeLimitSeconds,
  TimeoutSeconds,
} from './inputs.ts'
export { CallId, CallRecord, sampleCall } from './schemas.ts'
