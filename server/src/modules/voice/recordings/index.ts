// What other parts of voice and other modules use of recordings.

export { listRecordingsOf, presentRecording, type Recording, recordingStates } from './changes.ts'
export { type OpenRecording, openRecording } from './local_file.ts'
