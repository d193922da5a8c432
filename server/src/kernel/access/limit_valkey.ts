// The rate limit of several nodes: the counters of limit_memory.ts kept in Valkey (or Redis 6 and later), moved by one
// script, so every node sees one window. When Valkey is away, each node limits by its own memory, which has followed
// along, and says so once; it comes back by itself.
import { Redis } from 'ioredis'
import { type Decision, stretched } from './limit_memory.ts'

/** What the limiter writes to: a pino logger, or anything of its shape. */
export type LimiterLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

export type ValkeyLimiter = {
  /** As `MemoryLimiter.take`. Never rejects: after 200 ms without an answer the memory of this node decides. */
  take(key: string, limit: number, nowMs: number, cost?: number, windowSeconds?: number): Promise<Decision>
  /** Ends the connection. Later calls are decided in memory. */
  close(): void
}

export type ValkeyLimiterOptions = {
  /** `redis://[user:password@]host:port[/db]`, or `rediss://` for TLS. */
  url: string
  log: LimiterLog
  fallback: { take(key: string, limit: number, nowMs: number, cost?: number, windowSeconds?: number): Decision }
  windowSeconds?: number
  /** How long an answer may take before this node decides alone. */
  timeoutMs?: number
  /** How often an absent Valkey is looked for. */
  probeMs?: number
  /** Whose clock counts: Valkey's own, so that nodes need not agree on the time; or the caller's, in simulations. */
  time?: 'server' | 'caller'
}

// A hash a key: `n` the total, `o` the second of the oldest counter, `l` the last second, and a field for each second
// with its count. Returns allowed, remaining, seconds to reset, seconds to retry.
const script = `
local key, limit, cost, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
-- Where the window is longer or shorter, so are the seconds in it.
local stretch = tonumber(ARGV[5])
now = now / stretch
local second = math.floor(now / 1000)
local function field(s) return string.format('%d', s) end
local function range(from, to)
  local names = {}
  for s = from, to do names[#names + 1] = field(s) end
  return names
end

local head = redis.call('HMGET', key, 'n', 'o', 'l')
local total, oldest, last = tonumber(head[1]) or 0, tonumber(head[2]) or 0, tonumber(head[3]) or second
local changed = not head[1] or last ~= second

if second < last then
  -- The clock was set back: every counter keeps its age.
  local back = last - second
  local names = range(last - window, last)
  local counts = redis.call('HMGET', key, unpack(names))
  redis.call('HDEL', key, unpack(names))
  for i, count in ipairs(counts) do
    if count then redis.call('HSET', key, field(last - window + i - 1 - back), count) end
  end
  oldest, last = oldest - back, second
elseif total > 0 and second - last > window then
  redis.call('DEL', key)
  total = 0
elseif total > 0 and second - oldest > window then
  local names = range(oldest, last)
  local counts = redis.call('HMGET', key, unpack(names))
  local gone, first = {}, nil
  for i, count in ipairs(counts) do
    if count then
      if second - (oldest + i - 1) > window then
        total = total - tonumber(count)
        gone[#gone + 1] = names[i]
      elseif not first then
        first = oldest + i - 1
      end
    end
  end
  if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
  oldest = first or second
end

local allowed = total + cost <= limit
if allowed and cost > 0 then
  if total == 0 then oldest = second end
  total = total + cost
  redis.call('HINCRBY', key, field(second), cost)
  changed = true
end
if changed then
  redis.call('HSET', key, 'n', field(total), 'o', field(oldest), 'l', field(second))
  redis.call('EXPIRE', key, math.ceil((window + 2) * stretch))
end

local function seconds_until(s) return math.ceil((s * 1000 - now) / 1000) end
local reset, retry = 0, 0
if total > 0 then reset = seconds_until(oldest + window + 1) end
if not allowed then
  retry = window + 1
  if cost <= limit then
    local needed, freed = cost - (limit - total), 0
    for i, count in ipairs(redis.call('HMGET', key, unpack(range(oldest, second)))) do
      freed = freed + (tonumber(count) or 0)
      if freed >= needed then
        retry = seconds_until(oldest + i - 1 + window + 1)
        break
      end
    end
  end
end
return { allowed and 1 or 0, math.max(0, limit - total), reset, retry }
`

const CONNECT_MS = 1000

type LimitRedis = Redis & {
  tandemTake(
    key: string,
    limit: number,
    cost: number,
    window: number,
    now: number | '',
    stretch: number,
  ): Promise<number[]>
}

/** A limiter shared by every node that names the same Valkey. It connects at once, in the background. */
export function createValkeyLimiter({
  url,
  log,
  fallback,
  windowSeconds = 60,
  timeoutMs = 200,
  probeMs = 500,
  time = 'server',
}: ValkeyLimiterOptions): ValkeyLimiter {
  const redis = new Redis(url, {
    connectionName: 'tandem-limits',
    connectTimeout: CONNECT_MS,
    // Nothing waits in a queue for a better time, and nothing is counted twice by being sent again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: times => Math.min(100 * times, 2000),
    scripts: { tandemTake: { lua: script, numberOfKeys: 1 } },
  }) as LimitRedis
  const address = `${redis.options.host}:${redis.options.port}`
  let state: 'connecting' | 'here' | 'away' | 'closed' = 'connecting'
  let awaySinceMs = 0
  let probing: NodeJS.Timeout | undefined

  // The first requests after a start wait for the first connection, or its failure, rather than be counted apart.
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const patience = setTimeout(() => away(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS)
  redis.once('ready', () => {
    if (state === 'connecting') state = 'here'
    clearTimeout(patience)
    settle()
  })
  redis.on('error', error => away(error))
  redis.on('close', () => away(new Error('connection closed')))

  function away(error: unknown): void {
    if (state !== 'here' && state !== 'connecting') return
    state = 'away'
    clearTimeout(patience)
    settle()
    awaySinceMs = performance.now()
    log.warn(
      { address, reason: error instanceof Error ? error.message : String(error) },
      'Valkey is away: rate limits are kept by each node alone until it is back',
    )
    probing = setInterval(probe, probeMs)
    probing.unref()
  }

  // A refused connection is tried again by the library. A silent one is dropped here: a fresh one may find life.
  let asking = false
  let silentSinceMs = 0
  async function probe(): Promise<void> {
    if (asking) return
    if (redis.status !== 'ready') {
      if (redis.status !== 'connect') silentSinceMs = performance.now()
      else if (performance.now() - silentSinceMs > 2 * CONNECT_MS) redis.stream.destroy()
      return
    }
    asking = true
    try {
      // Asked as a request would be: a server that answers but cannot count (read-only, out of memory) is no help.
      await within(timeoutMs, redis.tandemTake('tandem:limit:probe', 1e9, 1, windowSeconds, '', 1))
      back()
    } catch {
      if (state === 'away') redis.stream.destroy()
    } finally {
      asking = false
    }
  }

  function back(): void {
    if (state !== 'away') return
    state = 'here'
    clearInterval(probing)
    log.info({ address, awayMs: Math.round(performance.now() - awaySinceMs) }, 'Valkey is back: rate limits are shared')
  }

  return {
    async take(key, limit, nowMs, cost = 1, asked = windowSeconds) {
      const alone = () => fallback.take(key, limit, nowMs, cost, asked)
      if (state === 'connecting') await settled
      if (state !== 'here') return alone()
      const [at, stretch] = [time === 'caller' ? nowMs : ('' as const), asked / windowSeconds]
      try {
        const asking = redis.tandemTake(`tandem:limit:${key}`, limit, cost, windowSeconds, at, stretch)
        const [allowed, remaining = 0, resetSeconds = 0, retryAfterSeconds = 0] = await within(timeoutMs, asking)
        // What was let through is known here too, so that losing Valkey does not hand out a second quota.
        if (allowed === 1) alone()
        return stretched({ allowed: allowed === 1, limit, remaining, resetSeconds, retryAfterSeconds }, stretch)
      } catch (error) {
        away(error)
        return alone()
      }
    },
    close() {
      state = 'closed'
      settle()
      clearTimeout(patience)
      clearInterval(probing)
      redis.disconnect()
    },
  }
}

// Rejects when an answer takes too long. A reply that already lies in the socket when a blocked event loop comes back
// still counts: the timer waits one turn for it.
function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    answer.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
