// How the contract test meets members: who is removed, who leaves, what is handed over, whose organization it is.
import { randomUUID } from 'node:crypto'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { logIn, ownPassword, type Somebody, somebody, strongSomebody } from '../people.ts'
import { enforceSso } from '../sso.ts'

const absent = { id: 999_999_999 }
const toAdmin = (t: TestApp) => ({ transferTo: t.main.users.Admin.id })

/** A person of the main organization, to whom something is done. */
const person = async (t: TestApp) => ({ params: { id: (await somebody(t)).userId } })
const leaver = async (t: TestApp) => ({ ...(await person(t)), query: toAdmin(t) })
const noPerson = async (t: TestApp) => ({ params: absent, query: toAdmin(t) })

/** An id of the other organization. */
const foreign = async (t: TestApp) => ({ params: { id: t.other.users['Sales Manager'].id } })

const reason = { reason: 'Lost the phone; asked in person' }

async function shared(t: TestApp): Promise<number> {
  const { email, userId } = await strongSomebody(t)
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Sales Manager' from accounts where email = $2`,
    [t.other.organizationId, email],
  )
  return userId
}

/** Ends what is under way of the ownership, so that nothing is refused for it. */
export async function settle(t: TestApp): Promise<void> {
  await t.ownerSql('update ownership_transfers set state = $2, undo_until = null where organization_id = $1', [
    t.main.organizationId,
    'canceled',
  ])
}

/** An organization of its own, by who owns it and another Admin. */
export async function owned(t: TestApp): Promise<{ owner: Somebody; heir: Somebody }> {
  await settle(t)
  await t.ownerSql("update sso_connections set status = 'disabled' where organization_id = $1", [t.main.organizationId])
  const [owner, heir] = [await somebody(t, 'Admin'), await somebody(t, 'Admin')]
  await t.ownerSql('update organizations set owner_user_id = $2 where id = $1', [t.main.organizationId, owner.userId])
  return { owner, heir }
}

/** One that waits for its answer. */
async function offered(t: TestApp) {
  const { owner, heir } = await owned(t)
  const body = { toUserId: heir.userId }
  await t.call('POST', '/v2/organization/transfer', { as: owner.as, body })
  return { owner, heir }
}

async function accepted(t: TestApp) {
  const both = await offered(t)
  await t.call('POST', '/v2/organization/transfer/accept', { as: both.heir.as })
  return both
}

/** A person who owned the organization until a moment ago. */
export const before = async (t: TestApp) => ({
  as: (await somebody(t, 'Admin')).as,
  params: { id: (await accepted(t)).owner.userId },
})

/** An organization without any other Admin; what it was before comes back with the next one that is made. */
async function aloneIn(t: TestApp): Promise<{ email: string; as: string }> {
  const email = `${randomUUID()}@alone.example`
  const [row] = await t.sql<{ id: number }>("insert into organizations (name) values ('Alone') returning id")
  await t.sql("insert into tenants (organization_id, mode) values ($1, 'live'), ($1, 'test')", [row!.id])
  const body = { email, name: 'Ada Park', role: 'Sales Manager', password: ownPassword, temporaryPassword: false }
  await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Admin' from accounts where email = $2`,
    [row!.id, email],
  )
  const { accessToken } = await logIn(t, email, { organizationId: row!.id })
  return { email, as: accessToken }
}

const organizationOf = async (t: TestApp, as: string): Promise<{ organizationId: number; userId: number }> =>
  (await t.call('GET', '/v2/users/me', { as })).json.data

async function handOver(t: TestApp, { main }: Pick<TestApp, 'main'> = t) {
  const { userId } = await somebody(t)
  const path = `/v2/users/${userId}?transferTo=${main.users.Admin.id}`
  const { json } = await t.call('DELETE', path, { as: main.tokens.Admin })
  return { params: { handOverId: json.data.handOver.handOverId } }
}

async function foreignHandOver(t: TestApp) {
  const id = t.other.users['Finance Manager'].id
  const { json } = await t.call('DELETE', `/v2/users/${id}?transferTo=${t.other.users.Admin.id}`, {
    as: t.other.tokens.Admin,
  })
  return { params: { handOverId: json.data.handOver.handOverId } }
}

/** Makes the only Admin of the other organization nobody who owns it. */
export async function ownerless(t: TestApp): Promise<void> {
  await t.ownerSql('update organizations set owner_user_id = null where id = $1', [t.other.organizationId])
}

const transfer = { transfer_not_open: async (t: TestApp) => ({ as: (await owned(t)).owner.as }) }

export const contract: ModuleContract = {
  'users.remove': {
    prepare: leaver,
    problems: {
      not_found: noPerson,
      async last_owner(t) {
        const { owner } = await owned(t)
        return { params: { id: owner.userId }, query: toAdmin(t) }
      },
      transfer_open: async t => ({ ...(await before(t)), query: toAdmin(t) }),
      async last_admin(t) {
        const { as } = await aloneIn(t)
        const { userId } = await organizationOf(t, as)
        return { as, params: { id: userId }, query: { transferTo: userId } }
      },
    },
    foreign: async t => ({ ...(await foreign(t)), query: toAdmin(t) }),
  },
  'own_organizations.leave': {
    prepare: async t => ({ as: (await somebody(t)).as, params: { organizationId: t.main.organizationId } }),
    problems: {
      not_found: async t => ({ as: (await somebody(t)).as, params: { organizationId: t.other.organizationId } }),
      async last_owner(t) {
        const { owner } = await owned(t)
        return { as: owner.as, params: { organizationId: t.main.organizationId } }
      },
      async transfer_open(t) {
        const { owner } = await accepted(t)
        return { as: owner.as, params: { organizationId: t.main.organizationId } }
      },
      async last_admin(t) {
        const { as } = await aloneIn(t)
        return { as, params: { organizationId: (await organizationOf(t, as)).organizationId } }
      },
    },
    foreign: async t => ({ params: { organizationId: t.other.organizationId } }),
    endsCredential: 'with its user',
  },
  'users.owned': { prepare: person, problems: { not_found: async () => ({ params: absent }) }, foreign },
  'hand_overs.get': {
    prepare: handOver,
    problems: { not_found: async () => ({ params: { handOverId: 'hov_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    foreign: foreignHandOver,
  },
  'users.sessions': { prepare: person, problems: { not_found: async () => ({ params: absent }) }, foreign },
  'users.end_sessions': {
    prepare: person,
    problems: { not_found: async () => ({ params: absent }), transfer_open: before },
    foreign,
  },
  'users.reset_factors': {
    prepare: async t => ({ params: { id: (await strongSomebody(t)).userId } }),
    problems: {
      not_found: async () => ({ params: absent }),
      account_shared: async t => ({ params: { id: await shared(t) }, query: reason }),
      async account_protected(t) {
        const { owner } = await owned(t)
        return { params: { id: owner.userId }, query: reason }
      },
      no_second_factor: async t => ({ params: { id: (await somebody(t)).userId }, query: reason }),
    },
    foreign,
  },
  'ownership.offer': {
    async prepare(t) {
      const { owner, heir } = await owned(t)
      return { as: owner.as, body: { toUserId: heir.userId } }
    },
    problems: {
      async not_owner(t) {
        const { owner, heir } = await owned(t)
        return { as: heir.as, body: { toUserId: owner.userId } }
      },
      async transfer_open(t) {
        const { owner, heir } = await offered(t)
        return { as: owner.as, body: { toUserId: heir.userId } }
      },
      async would_lock_out(t) {
        const { owner, heir } = await owned(t)
        await enforceSso(t, t.main.organizationId)
        await t.ownerSql("update sso_connections set status = 'active'")
        return { as: owner.as, body: { toUserId: heir.userId } }
      },
    },
  },
  'ownership.accept': { prepare: async t => ({ as: (await offered(t)).heir.as }), problems: transfer },
  'ownership.decline': { prepare: async t => ({ as: (await offered(t)).heir.as }), problems: transfer },
  'ownership.cancel': { prepare: async t => ({ as: (await offered(t)).owner.as }), problems: transfer },
  'ownership.undo': { prepare: async t => ({ as: (await accepted(t)).owner.as }), problems: transfer },
}
