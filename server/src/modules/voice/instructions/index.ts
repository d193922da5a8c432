// The call-control vocabulary as the rest of the server uses it.

export { documentedCommand, InstructionsBody, instructionsBodyLimit, sampleInstructions, WaitBody } from './body.ts'
export { type CallCommand, commandFault, commandVerbs, readCommand } from './commands.ts'
export { readingContext } from './context.ts'
export { withDefaults } from './defaults.ts'
export { describeDigits, describeInstruction, withoutSecrets } from './describe.ts'
export { instructionsMarkdown } from './docs.ts'
export { commandSchemas, instructionSchemas, instructionsJsonSchema, instructionsKeywords } from './json_schema.ts'
export { type ListKind, limits as instructionLimits } from './parts.ts'
export { propertiesIn, requireCreating, requireRights } from './rights.ts'
export * from './schema.ts'
export { type CallHandling, closeInstructions, openInstructions, type StoredInstructions } from './stored.ts'
export { answers, type CommandEffect, goesOn, type LiveState, type Traits, traits } from './traits.ts'
export {
  instructionsProblem,
  type Reading,
  type ReadingContext,
  readInstruction,
  readInstructions,
} from './validate.ts'
export { rejectCodes } from './verbs/control.ts'
export { messageOnly } from './verbs/recordings.ts'
export { tones } from './verbs/sound.ts'
export { maxIdentityLength } from './verbs/targets.ts'
