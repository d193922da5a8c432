// What recordings add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const recording = declareNoun({
  permissions: {
    'recordings:read': { allows: 'List, read and hear recordings of calls.', roles: everyone },
    'recordings:delete': { allows: 'Delete recordings of calls.', roles: [] },
  },
  events: {
    readWith: 'recordings:read',
    types: {
      'recording.available': 'A recording of a call can be heard.',
      'recording.absent': 'A recording of a call holds nothing: no sound came.',
      'recording.failed': 'A recording of a call failed.',
      'recording.deleted': 'A recording of a call was deleted.',
    },
  },
  problems: {
    recording_not_ready: problem(
      409,
      'Recording not ready',
      'The recording is still being made or stored.',
      'Wait for the event recording.available, or read the recording until its state is available.',
      true,
    ),
    recording_has_no_media: problem(
      404,
      'Recording without media',
      'There is no file of this recording: nothing was recorded, it failed, or it was deleted.',
      'Look at its state and errorCode in GET /v2/voice/recordings/{recordingId}.',
    ),
    recording_unreachable: problem(
      503,
      'Recording cannot be reached',
      'The storage that holds the file does not answer, or this server cannot reach it.',
      'Try again later; the operator finds the reason in the log. Several machines need S3-compatible storage.',
      true,
    ),
    recording_write_failed: problem(
      0,
      'Recording could not be written',
      'The audio could not be written to the disk of the voice server.',
      'Ask the operator for free space and rights in the data folder.',
    ),
    recording_lost: problem(
      0,
      'Recording lost',
      'The machine that made the recording was away for a day, or its file is gone.',
      'Nothing: it becomes available when that machine comes back with the file; else it cannot be restored.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    recording: typeof recording
  }
}
