// Imports of icons, parts and functions of the catalog that are bundled from the file that they are in. By the front door of their package, which imports them all,
// each would count as needed by every screen that needs any.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The text of a file of a package, by where it is from the package's main file. */
const textOf = (name: string, path: string) =>
  readFileSync(join(dirname(fileURLToPath(import.meta.resolve(name))), path), 'utf8')

/** By the name that the package exports: how the same is imported from its own file. */
type Exported = ReadonlyMap<string, (local: string) => string>

/** `export { default as CircleHelp, default as HelpCircle } from './icons/circle-question-mark.mjs'` */
export function iconsOf(text: string): Exported {
  const found = text.matchAll(/export \{([^}]*)\} from ['"]\.\/icons\/([\w-]+)\.m?js['"]/g)
  return new Map(
    [...found].flatMap(([, names = '', file]) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']): [string, (local: string) => string] => [
        name,
        local => `import ${local} from 'lucide-react/icons/${file}';`,
      ]),
    ),
  )
}

/** `import * as Tabs from "@radix-ui/react-tabs";` */
export function partsOf(text: string): Exported {
  const found = text.matchAll(/import \* as (\w+) from ['"]([^'"]+)['"]/g)
  return new Map([...found].map(([, name = '', from = '']) => [name, local => `import * as ${local} from '${from}';`]))
}

/** `export { type Field, fieldOf } from './fields.ts'`, in the main file of a package of ours, which lies in `folder`. */
export function exportsOf(text: string, folder: string): Exported {
  const found = text.matchAll(/export \{([^}]*)\} from ['"](\.[^'"]+)['"]/g)
  return new Map(
    [...found].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name): [string, (local: string) => string] => {
        const own = name.trim()
        const imported = (local: string) => (local === own ? own : `${own} as ${local}`)
        return [own, local => `import { ${imported(local)} } from '${join(folder, file)}';`]
      }),
    ),
  )
}

/** The code with the imports by name from `from` replaced by those of single files; names that are not known stay. */
export function withDirectImports(code: string, from: string, exported: Exported): string {
  return code.replace(new RegExp(`import \\{([^}]*)\\} from ['"]${from}['"];?`, 'g'), (whole, names: string) => {
    const wanted = names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && !name.startsWith('type '))
    const lines = wanted.map(name => {
      const [own = '', local = own] = name.split(/\s+as\s+/)
      return exported.get(own)?.(local)
    })
    return lines.includes(undefined) ? whole : lines.join(' ')
  })
}

export function directImports(): Plugin {
  const icons = iconsOf(textOf('lucide-react', '../esm/lucide-react.mjs'))
  const parts = partsOf(textOf('radix-ui', 'index.mjs'))
  const catalog = exportsOf(
    textOf('@tandem/catalog', 'index.ts'),
    dirname(fileURLToPath(import.meta.resolve('@tandem/catalog'))),
  )
  const packages = [
    ['lucide-react', icons],
    ['radix-ui', parts],
    ['@tandem/catalog', catalog],
  ] as const
  return {
    name: 'tandem-direct-imports',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('/node_modules/') || !/\.tsx?$/.test(id)) return undefined
      const changed = packages.reduce((text, [from, exported]) => withDirectImports(text, from, exported), code)
      return changed === code ? undefined : { code: changed, map: null }
    },
  }
}
