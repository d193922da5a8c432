// What the portal knows of the server's vocabulary, as modules that its screens import: what each role may do, in plain words, and
// the currencies, and how telephone numbers are written.

import metadata from 'libphonenumber-js/min/metadata'
import { currencyCodes } from '../server/src/kernel/values/money.ts'
import { rolesWith } from '../server/src/kernel/values/permission.ts'
import { permissions } from '../server/src/nouns.ts'
import { enModule } from './portal_messages.ts'

const heading = (of: string) => `// Made by \`npm run generate\` of the server's ${of}; not to be changed by hand.\n`

/** Texts by path, below the repository. */
export function portalData(): Record<string, string> {
  const names = Object.keys(permissions) as (keyof typeof permissions)[]
  const rights = names.map(permission => ({ permission, roles: rolesWith(permission) }))
  const right = '{ permission: string; roles: readonly string[] }'
  return {
    'portal/src/users/rights.generated.ts': `${heading('permissions')}export const rights: readonly ${right}[] = ${JSON.stringify(rights, null, 2)}\n`,
    'portal/src/rights/messages/en.ts': enModule(
      'permissions',
      names.map(name => [`right.${name}`, permissions[name]]),
    ),
    'portal/src/people/phone_formats.generated.ts': `${heading('numbering plans')}import type { PhoneFormats } from './phone_text.ts'\n\nexport const phoneFormats: PhoneFormats = JSON.parse(${JSON.stringify(JSON.stringify(phoneFormats()))})\n`,
    'portal/src/organization/currencies.generated.ts': `${heading('currencies')}export const currencies: readonly string[] = '${currencyCodes.join(' ')}'.split(' ')\n`,
  }
}

type NumberingPlan = readonly [
  callingCode: string,
  idd: unknown,
  pattern: unknown,
  lengths: unknown,
  formats: readonly (readonly unknown[])[] | 0,
  prefix: unknown,
  prefixRule: string | 0,
]

/**
 * By calling code its countries, and how its numbers are grouped: pattern, at home, abroad where that is not the same, what they
 * begin with. Countries that share a code share the groups of its first one (libphonenumber's tables, which hold no more).
 */
function phoneFormats() {
  const {
    countries,
    country_calling_codes: codes,
    nonGeographic,
  } = metadata as unknown as {
    countries: Record<string, NumberingPlan>
    country_calling_codes: Record<string, string[]>
    nonGeographic: Record<string, NumberingPlan>
  }
  const plans = [
    ...Object.entries(codes).map(([code, names]) => [code, names, countries[names[0] as string]] as const),
    ...Object.entries(nonGeographic).map(([code, plan]) => [code, [], plan] as const),
  ]
  return Object.fromEntries(plans.map(([code, names, plan]) => [code, [names.join(' '), groupsOf(plan)]]))
}

function groupsOf(plan: NumberingPlan | undefined) {
  return (plan?.[4] || []).map(format => {
    const [pattern, groups, begins, ownRule, , international] = format as [
      string,
      string,
      string[],
      string,
      unknown,
      string,
    ]
    const rule = ownRule || plan?.[6] || ''
    const home = rule === '' ? groups : groups.replace(/(\$\d)/, rule)
    const abroad = (international || groups)
      .replaceAll(
        /[-\u2010-\u2015\u2212\u30fc\uff0d-\uff0f \u00a0\u00ad\u200b\u2060\u3000()\uff08\uff09\uff3b\uff3d.[\]/~\u2053\u223c\uff5e]+/g,
        ' ',
      )
      .trim()
    return [pattern, home, abroad === home ? 0 : abroad, begins?.at(-1) ?? '']
  })
}
