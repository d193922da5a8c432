// What the portal knows of the server's vocabulary, as modules that its screens import: what each role may do, in plain words, and
// the currencies.

import { currencyCodes } from '../server/src/kernel/values/money.ts'
import { rolesWith } from '../server/src/kernel/values/permission.ts'
import { permissions } from '../server/src/nouns.ts'

const heading = (of: string) => `// Made by \`npm run generate\` of the server's ${of}; not to be changed by hand.\n`

/** Texts by path, below the repository. */
export function portalData(): Record<string, string> {
  const names = Object.keys(permissions) as (keyof typeof permissions)[]
  const rights = names.map(permission => ({
    permission,
    allows: permissions[permission],
    roles: rolesWith(permission),
  }))
  const right = '{ permission: string; allows: string; roles: readonly string[] }'
  return {
    'portal/src/users/rights.generated.ts': `${heading('permissions')}export const rights: readonly ${right}[] = ${JSON.stringify(rights, null, 2)}\n`,
    'portal/src/organization/currencies.generated.ts': `${heading('currencies')}export const currencies: readonly string[] = '${currencyCodes.join(' ')}'.split(' ')\n`,
  }
}
