// What the stream shows of requests.
export { LoggedRequest, presentRequest, sampleRequest } from './endpoints.ts'
export type { RequestRow } from './store.ts'
