// What the process uses of OAuth: where it is, and how requests reach it; and what ends that a person let clients do.
export { endGrantsOf } from './grants_store.ts'
export { issuerAt, resourceMetadataAt } from './metadata.ts'
export { registerOAuth } from './mount.ts'
export { pagesOfApps } from './page_origins.ts'
