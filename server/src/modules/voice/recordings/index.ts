// What other parts of voice and other modules use of recordings.

export {
  deleteRecordings,
  listRecordingsOf,
  presentRecording,
  type Recording,
  recordingQueue,
  recordingStates,
} from './changes.ts'
export { type OpenRecording, openRecording } from './local_file.ts'
