// What a node uses to carry out instructions.

export { createCallQueues } from './call_queues.ts'
export { createConferences } from './conferences.ts'
export { type CallControl, startControl } from './control.ts'
export { commandDialed } from './dialed.ts'
export type { Conversation, Work } from './run.ts'
export { type Asked, type AskReason, askReasons, type ChildCall, type ControlTools } from './run.ts'
