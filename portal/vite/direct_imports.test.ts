// What is bundled from its own file, and how the code that imports it is changed for that: names, other names for them,
// and names that no file is known for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportsOf, iconsOf, partsOf, withDirectImports } from './direct_imports.ts'

test('icons and parts are imported from their own files, under the names that the code uses', () => {
  const icons = iconsOf(
    "export { default as Home, default as House } from './icons/house.mjs';\nexport {default as X} from './icons/x.js';",
  )
  const parts = partsOf('import * as Tabs from "@radix-ui/react-tabs";\nexport { Tabs };')
  const code =
    "import { Home as Start, X } from 'lucide-react'\nimport { type Old, Tabs as RadixTabs } from 'radix-ui'\n"
  assert.equal(
    withDirectImports(withDirectImports(code, 'lucide-react', icons), 'radix-ui', parts),
    "import Start from 'lucide-react/icons/house'; import X from 'lucide-react/icons/x';\nimport * as RadixTabs from '@radix-ui/react-tabs';\n",
  )
})

test('functions of a package of ours are imported from the files that they are in; types stay out', () => {
  const known = exportsOf(
    "export { type Field, fieldOf, rulesText } from './fields.ts'\nexport { toCurl } from './samples/curl.ts'",
    '/catalog',
  )
  assert.equal(
    withDirectImports(
      "import { type Field, rulesText as rules, toCurl } from '@tandem/catalog'",
      '@tandem/catalog',
      known,
    ),
    "import { rulesText as rules } from '/catalog/fields.ts'; import { toCurl } from '/catalog/samples/curl.ts';",
  )
})

test('a name that the package does not list is left to the package', () => {
  const code = "import { createLucideIcon, X } from 'lucide-react'"
  assert.equal(withDirectImports(code, 'lucide-react', iconsOf('')), code)
})
