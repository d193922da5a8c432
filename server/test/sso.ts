// For tests of single sign-on: an organization that lets its people in by its identity provider only.
import type { TestApp } from './harness.ts'

/** Whose domain it is; nobody else's from then on. */
export async function ownDomain(t: TestApp, organizationId: number, domain = 'example.com'): Promise<void> {
  await t.ownerSql('delete from organization_domains where domain = $1', [domain])
  await t.ownerSql(
    `insert into organization_domains (organization_id, id, domain, token, status, verified_at)
     values ($1::bigint, 'dom_' || lpad($1::bigint::text, 26, '0'), $2, 'x', 'verified', now())`,
    [organizationId, domain],
  )
}

/** People with addresses at example.com must come by the provider: in an organization, or the newest one that somebody is in. */
export async function enforceSso(t: TestApp, of: number | string): Promise<void> {
  const [row] =
    typeof of === 'number'
      ? [{ id: of }]
      : await t.ownerSql<{ id: number }>('select max(organization_id) as id from users where email = $1', [of])
  const { id } = row!
  await ownDomain(t, id)
  await t.ownerSql('delete from sso_connections where organization_id = $1', [id])
  await t.ownerSql(
    `insert into sso_connections (organization_id, id, name, issuer, client_id, status)
     values ($1::bigint, 'sso_' || lpad($1::bigint::text, 26, '0'), 'Okta', 'https://idp.example', 'x', 'enforced')`,
    [id],
  )
}
