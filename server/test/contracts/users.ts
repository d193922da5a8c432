// How the contract test meets users.
import { randomUUID } from 'node:crypto'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { somebody } from '../people.ts'
import { before, owned, ownerless } from './members.ts'

function newBody() {
  return { email: `${randomUUID()}@example.com`, name: 'Grace Hopper', role: 'Sales Manager' }
}

async function newUser(t: TestApp): Promise<{ id: number }> {
  const { json } = await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body: newBody() })
  return { id: json.user.id }
}

const foreign = async (t: TestApp) => ({ params: { id: t.other.users['Sales Manager'].id } })
const nobody = async () => ({ params: { id: 999_999_999 } })

export const contract: ModuleContract = {
  'users.create': {
    prepare: async () => ({ body: newBody() }),
    problems: {
      email_taken: async t => ({ body: { ...newBody(), email: t.other.users.Admin.email } }),
      weak_password: async () => ({ body: { ...newBody(), password: 'password123' } }),
    },
  },
  'users.get': {
    prepare: async t => ({ params: await newUser(t) }),
    problems: { not_found: nobody },
    foreign,
  },
  'users.update': {
    prepare: async t => ({ params: await newUser(t), body: { name: 'Rear Admiral Hopper', role: 'Sales Executive' } }),
    problems: {
      not_found: nobody,
      email_taken: async t => ({ params: await newUser(t), body: { email: t.main.users.Admin.email } }),
      weak_password: async t => ({ params: await newUser(t), body: { password: 'qwertyuiop' } }),
      async account_shared(t) {
        const { userId, email } = await somebody(t)
        await t.ownerSql(
          `insert into users (organization_id, account_id, email, name, role)
           select $1, id, email, name, 'Sales Manager' from accounts where email = $2`,
          [t.other.organizationId, email],
        )
        return { params: { id: userId }, body: { password: 'seven brass lanterns drift' } }
      },
      async account_protected(t) {
        const { owner } = await owned(t)
        return { params: { id: owner.userId }, body: { password: 'seven brass lanterns drift' } }
      },
      async last_admin(t) {
        await ownerless(t)
        return { as: t.other.tokens.Admin, params: { id: t.other.users.Admin.id }, body: { role: 'Sales Manager' } }
      },
      async last_owner(t) {
        const { owner } = await owned(t)
        return { params: { id: owner.userId }, body: { disabled: true } }
      },
      transfer_open: async t => ({ ...(await before(t)), body: { role: 'Sales Manager' } }),
    },
    foreign,
  },
}
