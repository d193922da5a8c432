// Whether the installation sends nothing, asked in one way: by the server as the role of its requests, and by commands and the doctor over
// the owner's connection.
import type pg from 'pg'
import type { Db } from '../data/db.ts'

export type Hold = { because: string; since: string }

const text = `select because, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since from sending_hold`

/** Why nothing is sent and since when; undefined where all is sent as usual. */
export async function findHold(by: Pick<Db, 'work'> | Pick<pg.ClientBase, 'query'>): Promise<Hold | undefined> {
  const rows = 'work' in by ? await by.work<Hold>('find_sending_hold', text, []) : (await by.query<Hold>(text)).rows
  return rows[0]
}
