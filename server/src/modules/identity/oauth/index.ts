// What the process uses of OAuth: where it is, and how requests reach it.
export { issuerAt, resourceMetadataAt } from './metadata.ts'
export { registerOAuth } from './mount.ts'
