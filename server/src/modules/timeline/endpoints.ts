// The timelines of all records that hold others, by call, once all nouns are known.
export { recordTimelines as timelineEndpoints } from './record_timelines.ts'
