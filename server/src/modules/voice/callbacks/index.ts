// What other parts of voice use of callbacks.
export { createAsker } from './ask.ts'
