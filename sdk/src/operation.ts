// The shapes callers see: what a method takes beside its fields, what it returns, and how lists and streams are read.

/** Settings of one call; each wins over the client's. */
export type CallOptions = {
  /** Ends the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds one attempt may take, from sending to the last byte of the answer. */
  timeoutMs?: number
  /** Attempts after the first. */
  maxRetries?: number
  /** Makes a repeat by you safe too: the same key gets the same answer for 72 hours. Made by itself when left out. */
  idempotencyKey?: string
  /** Version of the record the change is meant for (`lead.version`, or an ETag): 412 `version_mismatch` when it moved on. */
  ifMatch?: number | string
  headers?: Readonly<Record<string, string>>
}

/** Where the caller stands with the rate limit. */
export type RateLimit = {
  /** Requests per minute. */
  limit: number
  remaining: number
  /** Seconds until all of it is free again. */
  resetSeconds: number
}

/** An answer with what came beside the data. */
export type ApiResponse<Reply> = {
  data: Reply
  status: number
  headers: Headers
  /** Finds the request in the request log. Undefined where a browser hides headers of another origin. */
  requestId: string | undefined
  rateLimit: RateLimit | undefined
  /** Attempts after the first. */
  retries: number
  /** The Idempotency-Key that was sent. */
  idempotencyKey: string | undefined
  /** Whether this is the stored answer of an earlier request with the same key. */
  replayed: boolean
}

/** A promise of the data; `withResponse()` gives status, headers and the rest too. */
export type ApiPromise<Reply> = Promise<Reply> & { withResponse(): Promise<ApiResponse<Reply>> }

/** A method: all fields of path, query and body in one object. */
export type Operation<Params, Reply> =
  Record<never, never> extends Params
    ? (params?: Params, options?: CallOptions) => ApiPromise<Reply>
    : (params: Params, options?: CallOptions) => ApiPromise<Reply>

/** A method of a list: one page when called, everything with `all`. */
export type ListOperation<Params, Page, Item> = Operation<Params, Page> & {
  all: Record<never, never> extends Params
    ? (params?: Params, options?: CallOptions) => ItemList<Page, Item>
    : (params: Params, options?: CallOptions) => ItemList<Page, Item>
}

/** All records of a list; pages are fetched while they are read, 100 records each unless `limit` says otherwise. */
export type ItemList<Page, Item> = AsyncIterable<Item> & {
  /** The same by page. */
  pages(): AsyncIterable<Page>
  /** The first `most` records (all when left out) in an array. */
  toArray(most?: number): Promise<Item[]>
}

/** A page of a v2 list. */
export type CursorPage<Item> = { items: Item[]; limit: number; nextCursor: string | null; hasMore: boolean }

/** A request made by hand. */
export type RawRequest = CallOptions & {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the host: `/v2/messages`. */
  path: string
  query?: Readonly<Record<string, unknown>>
  /** Sent as JSON. */
  body?: unknown
}

/** One server-sent event; `id` is what a later stream can go on behind. */
export type StreamEvent<Name extends string = string, Data = unknown> = {
  event: Name
  data: Data
  id: string | undefined
}

export type StreamOptions = {
  /** Ends the stream; the loop throws the signal's reason. `close()` ends it quietly. */
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** Goes on behind this event. */
  lastEventId?: string
  /** Milliseconds without a byte after which the connection is taken for dead; 45,000 when left out. */
  heartbeatTimeoutMs?: number
  /** Milliseconds until the answer must begin. */
  timeoutMs?: number
  /**
   * Connections made again in a row, none of which held for five seconds, before the loop throws (or ends, when the
   * server ended the last one); without end when left out.
   */
  maxRetries?: number
  /** Called when a connection stands. */
  onOpen?: () => void
  /** Called when it is lost and will be made again. `error` is undefined when the server ended it. */
  onRetry?: (retry: { error: unknown; delayMs: number; retries: number }) => void
}

/** Events as they come, with reconnection behind the last one seen. One loop at a time. */
export type EventStream<Event> = AsyncIterable<Event> & {
  /** Ends the loop after the event in hand. */
  close(): void
  /** Id of the last event seen. */
  readonly lastEventId: string | undefined
}

export type StreamOperation<Params, Event> =
  Record<never, never> extends Params
    ? (params?: Params, options?: StreamOptions) => EventStream<Event>
    : (params: Params, options?: StreamOptions) => EventStream<Event>
