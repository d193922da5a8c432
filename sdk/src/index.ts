// Tandem for JavaScript and TypeScript: `createTandem` and the types of everything it sends and returns.
export { createTandem, newIdempotencyKey, type Tandem } from './client.ts'
export {
  type ClientErrorCode,
  type FieldFault,
  isTandemError,
  retryAfterSeconds,
  TandemError,
  type TandemErrorCode,
} from './errors.ts'
export type {
  ApiPromise,
  ApiResponse,
  CallOptions,
  CursorPage,
  EventStream,
  ItemList,
  ListOperation,
  Operation,
  RateLimit,
  RawRequest,
  StreamEvent,
  StreamOperation,
  StreamOptions,
} from './operation.ts'
export type { TandemOptions, TokenSource } from './transport.ts'
export type * from './types.generated.ts'
export { type DeliveryHeaders, type DeliveryToVerify, verifyWebhook } from './webhooks.ts'
