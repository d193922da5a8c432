// Where sealed texts lie in a database, found by looking into every column of every table that can hold text.
import type pg from 'pg'

export type SealedPlace = { table: string; column: string; versions: number[] }

export function sealedPlaces(
  asOwner: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>,
): Promise<SealedPlace[]> {
  return asOwner(async client => {
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'varchar'::regtype, 'text[]'::regtype)
       order by 1, 2`,
    )
    const places: SealedPlace[] = []
    for (const { table, column } of columns) {
      const name = client.escapeIdentifier(column)
      const { rows } = await client.query<{ version: string }>(
        `select distinct (regexp_match(${name}::text, '(?:^|")sealed\\.([1-9]\\d*)\\.[\\w-]{38,}'))[1] as version
         from ${client.escapeIdentifier(table)} where ${name}::text like '%sealed.%'`,
      )
      const versions = rows.flatMap(({ version }) => (version === null ? [] : Number(version)))
      if (versions.length > 0) places.push({ table, column, versions })
    }
    return places
  })
}
