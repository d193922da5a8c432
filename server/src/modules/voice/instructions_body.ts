// Instructions as a part of requests and replies: their place in the schemas of endpoints. What stands in them is checked by
// `readInstructions`, which names the place of every fault.
import { instructionLimits } from './instructions/index.ts'

export const InstructionsBody = {
  type: 'array',
  items: { type: 'object', additionalProperties: true },
} as const

/** Room for the longest list as people write it, with blanks and line ends, and for the other fields. */
export const instructionsBodyLimit = 4 * instructionLimits.bytes

export const sampleInstructions = [
  { verb: 'say', text: 'Welcome to Example Company. Press 1 to talk with us, or leave a message after the tone.' },
  { verb: 'gather', numDigits: 1, timeoutSeconds: 8, actionUrl: 'https://example.com/calls/menu' },
  { verb: 'record', mode: 'message', maxSeconds: 120 },
  { verb: 'hangup' },
]
