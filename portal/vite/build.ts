// `node portal/vite/build.ts <folder>`: builds the portal into a folder, quietly. The server runs it in a process of its
// own when the sources have changed. Whatever the environment says, what people get is the production build, and what is
// wrong is reported in plain text.
import { constants, setPriority } from 'node:os'
import { stripVTControlCharacters } from 'node:util'

const [outDir] = process.argv.slice(2)
if (outDir === undefined) throw new Error('usage: node portal/vite/build.ts <folder>')
process.env['NODE_ENV'] = 'production'
// The server answers requests meanwhile. Threads have the priority of the one that starts them: before any other is loaded.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { build } = await import('vite')
const configFile = `${import.meta.dirname}/../vite.config.ts`
try {
  await build({ configFile, mode: 'production', logLevel: 'silent', build: { outDir, emptyOutDir: true } })
} catch (error) {
  console.error(stripVTControlCharacters((error as Error).message))
  process.exitCode = 1
}
