/**
 * Fills a tenant with messages of the past year for the bench of volume, by SQL as the owner of the database. Every row is a copy of one that
 * the gateway has just delivered, so that it holds what a message holds after its life; what differs are ids, times, recipient and text. They
 * stand in the order of time, as they would have been written, and the indexes as full as they would be.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dropIndexes } from './seed_invoices.ts'

/** What is filled: `n` messages of a tenant, spread over a year. */
export type MessagesToSeed = { tenantId: number; n: number }

/** Messages that were claimed, answered and reported together, about as many as a burst has in a batch of events; those accepted together are fewer. */
const together = 80
const acceptedTogether = 16
/** How many messages each recipient has had in the year. */
const perRecipient = 10
/** Deliveries of webhooks are kept for so many days. */
const deliveryDays = 30
const rowsAtOnce = 200_000

/** Its four moves: how long after it was accepted, the letter of the status, and how many messages have theirs in one row. */
const moves = [
  { afterMs: 2, letter: 'q', together: acceptedTogether },
  { afterMs: 40, letter: 'g', together },
  { afterMs: 60, letter: 's', together },
  { afterMs: 600, letter: 'd', together },
]

/**
 * Messages `$1` to `$2` of `$3`, counted from 0: when each was accepted, the digits of its id (those of base 16 are such as well), those of its
 * moves, its recipient. What takes long to say of a time is said once for all that were accepted together.
 */
const drawn = `
  with batches as materialized (
    select e.batch, to_timestamp(e.ms / 1000.0) as at, time_digits(e.ms) as digits,
      ${moves.map(({ afterMs }, n) => `time_digits(e.ms + ${afterMs}) as moved_${n + 1}`).join(', ')}
    from seed_start s
    cross join lateral (
      select batch, s.started_ms + (batch * 31536000000 / ($3::bigint / ${together} + 1))::bigint as ms
      from generate_series($1::bigint / ${together}, $2::bigint / ${together}) as batch) e
  ), drawn as materialized (
    select i, b.*, b.digits || left(md5(i::text), 16) as id_digits,
      '+49151' || lpad((abs(hashint8extended(i, 7)) % greatest(1, $3::bigint / ${perRecipient}))::text, 8, '0') as recipient
    from batches b
    cross join lateral generate_series(greatest($1, b.batch * ${together}), least($2, b.batch * ${together} + ${together - 1})) as i)`

/** What a message of the past has of its own; all else is as in the message it is a copy of. */
const ownColumns: Readonly<Record<string, string>> = {
  id: `'msg_' || d.id_digits`,
  created_at: 'd.at',
  ...Object.fromEntries(
    ['sent_at', 'delivered_at', 'final_at', 'answered_at', 'receipt_at'].map(name => [
      name,
      `d.at + (t.${name} - t.created_at)`,
    ]),
  ),
  to_address: 'd.recipient',
  body: `'Your code is ' || lpad((d.i % 100000000)::text, 8, '0')`,
  carrier_message_id: `'p' || d.i`,
}

const insertBatches = `${drawn}
  insert into message_event_batches (tenant_id, id, entries)
  select $4::bigint, u.* from (${moves
    .map(
      ({ letter, together }, n) => `
    select 'evt_' || min(d.moved_${n + 1}) || min(right(d.id_digits, 13)) || '00${n + 1}' as id, string_agg(d.id_digits || '00${n + 1}${letter}', ' ')
    from drawn d group by d.i / ${together}`,
    )
    .join(' union all ')}) u
  order by u.id`

const insertDeliveries = (columns: string[]) => `${drawn}
  insert into webhook_deliveries (${columns.join(', ')})
  select ${columns
    .map(name =>
      name === 'event_id'
        ? `'evt_' || d.moved_4 || right(d.id_digits, 13) || '004'`
        : /_at$/.test(name) && name !== 'next_at'
          ? `d.at + interval '700 milliseconds'`
          : `t.${name}`,
    )
    .join(', ')}
  from drawn d cross join seed_delivery t
  where d.at > clock_timestamp() - interval '${deliveryDays} days' and t.tenant_id = $4::bigint`

async function columnsOf(owner: pg.Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum',
    [table],
  )
  return rows.map(({ name }) => name)
}

/**
 * Takes the newest delivered message of the tenant, with its delivery, as what all are copies of, and makes the tables ready to be filled.
 * @returns the statements that make the indexes again
 */
export async function beginSeeding(owner: pg.Client, { tenantId }: MessagesToSeed): Promise<string[]> {
  await owner.query(
    "create temp table seed_start as select (extract(epoch from clock_timestamp() - interval '1 year 5 minutes') * 1000)::bigint as started_ms",
  )
  await owner.query(
    `create temp table seed_message as select * from messages where tenant_id = ${tenantId} and status = 'delivered' order by id desc limit 1`,
  )
  await owner.query(
    `create temp table seed_delivery as select * from webhook_deliveries where tenant_id = ${tenantId} and status = 'delivered' limit 1`,
  )
  // Nothing is lost with a bench that dies, and whole pages in the log would only make it longer.
  await owner.query('set synchronous_commit = off')
  await owner.query("set session_replication_role = 'replica'")
  await owner.query('alter system set full_page_writes = off')
  await owner.query('select pg_reload_conf()')
  for (const table of ['messages', 'message_event_batches', 'webhook_deliveries'])
    await owner.query(`alter table ${table} set (autovacuum_enabled = false)`)
  return dropIndexes(owner, 'messages', 'webhook_deliveries')
}

/** Fills in the next messages behind `done`; how many are there then. */
export async function seedNext(owner: pg.Client, { tenantId, n }: MessagesToSeed, done: number): Promise<number> {
  const range = [done, Math.min(n, done + rowsAtOnce) - 1, n]
  const columns = await columnsOf(owner, 'messages')
  const values = columns.map(name => ownColumns[name] ?? `t.${name}`)
  await owner.query(
    `${drawn} insert into messages (${columns.join(', ')}) select ${values.join(', ')} from drawn d cross join seed_message t`,
    range,
  )
  await owner.query(insertBatches, [...range, tenantId])
  await owner.query(insertDeliveries(await columnsOf(owner, 'webhook_deliveries')), [...range, tenantId])
  return Math.min(n, done + rowsAtOnce)
}

/** Makes the indexes again, and lets PostgreSQL vacuum and analyze, so that the first burst does not pay for what was filled in. */
export async function endSeeding(owner: pg.Client, indexes: readonly string[]): Promise<void> {
  for (const definition of indexes) {
    // What comes in random order leaves its pages seven tenths full; one that is made at once would be smaller.
    const isRandom = /^CREATE INDEX messages_to /.test(definition)
    await owner.query(isRandom ? `${definition} with (fillfactor = 70)` : definition)
    if (isRandom) await owner.query('alter index messages_to reset (fillfactor)')
  }
  await owner.query('vacuum (analyze) messages, message_event_batches, webhook_deliveries')
  for (const table of ['messages', 'message_event_batches', 'webhook_deliveries'])
    await owner.query(`alter table ${table} reset (autovacuum_enabled)`)
  await owner.query('alter system reset full_page_writes')
  await owner.query('select pg_reload_conf()')
  await sleep(500)
  for (const setting of ['synchronous_commit', 'session_replication_role', 'maintenance_work_mem'])
    await owner.query(`reset ${setting}`)
  await owner.query('drop table seed_start, seed_message, seed_delivery')
  await owner.query('checkpoint')
}

/** All of it at once. */
export async function seedMessages(owner: pg.Client, what: MessagesToSeed): Promise<void> {
  const indexes = await beginSeeding(owner, what)
  for (let done = 0; done < what.n; ) done = await seedNext(owner, what, done)
  await endSeeding(owner, indexes)
}

/** Ids and recipients of messages from all over the year. */
export async function sampleMessages(
  owner: pg.Client,
  tenantId: number,
  count: number,
): Promise<{ id: string; to: string }[]> {
  const { rows } = await owner.query<{ id: string; to: string }>(
    // Moments first: with a clock in its condition no index would be used.
    `with moments as materialized (
       select first_id_at('msg', clock_timestamp() - interval '1 year' * ((n * 7919 % 9973) / 9973.0)) as id
       from generate_series(1, $2::integer) as n)
     select m.id, m.to_address as to
     from moments f
     cross join lateral (
       select m.id, m.to_address from messages m where m.tenant_id = $1 and m.id >= f.id order by m.id limit 1) m`,
    [tenantId, count],
  )
  return rows
}
