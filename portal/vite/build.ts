// `node portal/vite/build.ts <folder>`: builds the portal into a folder, quietly. The server runs it in a process of its
// own when the sources have changed. Whatever the environment says, what people get is the production build, and what is
// wrong is told in plain text.
import { stripVTControlCharacters } from 'node:util'
import { build } from 'vite'

const [outDir] = process.argv.slice(2)
if (outDir === undefined) throw new Error('usage: node portal/vite/build.ts <folder>')
process.env['NODE_ENV'] = 'production'
const configFile = `${import.meta.dirname}/../vite.config.ts`
try {
  await build({ configFile, mode: 'production', logLevel: 'silent', build: { outDir, emptyOutDir: true } })
} catch (error) {
  console.error(stripVTControlCharacters((error as Error).message))
  process.exitCode = 1
}
