// What other leaves may use of imports: their work, for the queue of all work on many records, and which files they keep.
export { runImport } from './run.ts'
export { expiredFiles, forgetFiles, isImporting, keptFiles } from './store.ts'
