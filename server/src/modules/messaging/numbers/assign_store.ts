// The operator's word on whose a number is, for the command line: it holds against any proof. With the engine's rights,
// because it concerns two organizations.
import type pg from 'pg'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { readTelephone } from '../addresses.ts'
import type { NumberRow } from './rules.ts'
import { presentNumber } from './schemas.ts'
import { columnsText } from './store.ts'

type Row = NumberRow & { tenant_id: number }

/**
 * Makes an organization the verified holder of a telephone number that it has added in live mode; anyone who held it has it as
 * contested from then on. Both get the event, in the same transaction.
 * @returns a sentence for the operator; `isDone` is false when nothing was changed
 */
export async function assignNumber(
  client: pg.ClientBase,
  { number, organizationId }: { number: string; organizationId: number },
  nowMs: number,
): Promise<{ isDone: boolean; text: string }> {
  const phone = readTelephone(number, null)
  if (phone === undefined)
    return { isDone: false, text: `${number} is no telephone number: write it with + and country code.` }
  await client.query('select lock_number($1)', [phone])
  const { rows } = await client.query<Row & { organization_id: number; name: string }>(
    `select n.*, t.organization_id, o.name
     from (select r.tenant_id, ${columnsText} from numbers r where address = $1 and ownership is not null for update) n
     join tenants t on t.id = n.tenant_id join organizations o on o.id = t.organization_id`,
    [phone],
  )
  const heir = rows.find(row => row.organization_id === organizationId)
  if (heir === undefined) {
    const text = `Organization ${organizationId} has not added ${phone} in live mode: it does so first, with POST /v2/numbers or in the portal.`
    return { isDone: false, text }
  }
  if (heir.ownership === 'verified') return { isDone: true, text: `${phone} is verified for ${heir.name} already.` }
  const holder = rows.find(row => row !== heir && row.ownership !== 'contested')
  if (holder !== undefined) await change(client, holder, 'contested', nowMs)
  await change(client, heir, 'verified', nowMs)
  const lost = holder === undefined ? '' : ` ${holder.name} has it as contested now.`
  return { isDone: true, text: `${phone} belongs to ${heir.name}.${lost}` }
}

async function change(
  client: pg.ClientBase,
  { tenant_id, id }: Row,
  ownership: 'verified' | 'contested',
  nowMs: number,
): Promise<void> {
  const { rows } = await client.query<NumberRow>(
    `update numbers r set ownership = $3, version = version + 1, updated_at = greatest($4::timestamptz, created_at)
     where tenant_id = $1 and id = $2 returning ${columnsText}`,
    [tenant_id, id, ownership, isoMs(nowMs)],
  )
  const row = rows[0]!
  await client.query(
    `insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, $2, $3, $4, $5, $6)`,
    [tenant_id, newId('evt'), `number.${ownership}`, id, row.version, JSON.stringify(presentNumber(row))],
  )
}
